// Runs the kernels of an exported exam with the stand-in header: the calls go to standard output, what the
// kernels copy out goes to the file argv[2], and argv[1] is input.bin. KERNELS: the names of the kernels.
#include EXAM_KERNEL

#include <fstream>
#include <iterator>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::ifstream in(argv[1], std::ios::binary);
  std::vector<char> image{std::istreambuf_iterator<char>(in), {}};
  for (void (*kernel)(GM_ADDR) : {KERNELS}) {
    AscendC::Line("launch");
    kernel(reinterpret_cast<GM_ADDR>(image.data()));
  }
  std::ofstream(argv[2], std::ios::binary).write(image.data(), static_cast<std::streamsize>(image.size()));
}
