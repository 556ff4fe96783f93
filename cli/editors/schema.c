// cli/editors/schema.c - foresee schema: JSON Schemas of the files that people write, for editors.
#include <string.h>

#include "cli/editors/editors.h"
#include "cli/runs/scenario.h"
#include "scene/load/keys.h"

int command_schema(const arguments *a) {
    static const char *const kinds[] = {"plan", "world", "robot", "edits"};
    const char *kind = a->operands.count == 1 ? a->operands.items[0] : "";
    size_t k = 0;
    while (k < 4 && strcmp(kinds[k], kind) != 0)
        k++;
    if (k == 4)
        return cli_usage(a, "schema needs a kind of file: plan, world, robot or edits");
    plan_names names = scenario_robot_names();
    text_buffer out = {0};
    switch (k) {
    case 0:
        schema_plan(&names, &out);
        break;
    case 1:
        schema_world(&out);
        break;
    case 2:
        schema_robot(&out);
        break;
    default:
        schema_edits(&names, &out);
    }
    fwrite(out.items, 1, out.count, stdout);
    text_finish(&out);
    return EXIT_YES;
}
