// query/prepared/none.c - no prepared rules, for what is not linked with those that are shipped.
#include "query/prepared/prepared.h"

const prepared_bytes prepared_rules = {NULL, 0};
const prepared_bytes prepared_files = {NULL, 0};
