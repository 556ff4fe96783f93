// tests/flaws/tool/checks.h - the checks of checks.def.
#ifndef FORESEE_TESTS_FLAWS_CHECKS_H
#define FORESEE_TESTS_FLAWS_CHECKS_H

#include "monitor.h"

#define CHECK(name) check_function check_##name;
#include "checks.def"
#undef CHECK

#endif
