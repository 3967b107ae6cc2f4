// Makes a report of many findings, with hostile names, from a real one. Usage: make_reports.mjs FROM TO FINDINGS
import {readFileSync, writeFileSync} from 'node:fs';

const [from, to, findings] = process.argv.slice(2);
const report = JSON.parse(readFileSync(from));
const model = report.findings[0];
const subjects = ['mask', 'address', 'arithmetic', 'unexplained'];
report.run.backend = `<script>alert(1)</script>"&'`;
report.run.doctor = ['<img src=x onerror="throw Error(1)">'];
report.findings = Array.from({length: Number(findings)}, (_, n) => ({
  ...model,
  heat: n < 12 ? model.heat : undefined,  // it is large
  id: `measured-gate-${n}` + (n % 7 === 0 ? `<b onclick='x'>"&` : ''),
  matter: subjects[n % subjects.length],
  what: `the mask advances by ${n} lanes per repeat </li><script>throw Error(2)</script>`,
  measured: n > 0 ? null : {
    programs: 55, measured: true, differences: ['lanes 1..127 are gated by slot 0 <b>'],
    shapes: [{name: 'plain', about: 'repeat 3', maps: [{of: 'dst', map: 'written: 0, 2, 4'}]}],
  },
}));
writeFileSync(to, JSON.stringify(report));
