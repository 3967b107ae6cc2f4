// The style and the script of the page: page.css and page.js of this room.
#pragma once

#include <string_view>

namespace lanecheck::page {

extern const std::string_view kPageStyle, kPageScript;

}  // namespace lanecheck::page
