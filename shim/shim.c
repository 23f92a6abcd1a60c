#include "shim.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int say(int fd, const char *text) {
    return write_all(fd, text, strlen(text));
}

/* The agent may run before others (cleat, CLEAT_NICE), so that it answers whatever its tasks do with
 * the processors. None of what it starts does: all of that is started by this program. */
static void run_as_others_do(void) {
    if (getpriority(PRIO_PROCESS, 0) < 0) {
        setpriority(PRIO_PROCESS, 0, 0);
    }
}

int main(int count, char **args) {
    run_as_others_do();
    const char *mode = count > 1 ? args[1] : "";
    if (!strcmp(mode, "run") && count == 3) {
        return run_main(args[2]);
    }
    if (!strcmp(mode, "init") && count > 2) {
        return init_main(args + 2);
    }
    if (!strcmp(mode, "detach") && count > 4) {
        return detach_main(args + 2);
    }
    if (!strcmp(mode, "follow") && count == 4) {
        return follow_main(args[2], args[3]);
    }
    if (!strcmp(mode, "confine")) {
        return confine_main(args + 2);
    }
    if (!strcmp(mode, "pause") && count == 2) {
        return pause_main();
    }
    if (!strcmp(mode, "call")) {
        return call_main(args + 2);
    }
    int walk = count == 3 && !strcmp(args[2], "walk");
    if (!strcmp(mode, "path") && (count == 2 || walk)) {
        return path_main(walk);
    }
    if (!strcmp(mode, "read") && count == 3) {
        struct task task;
        char why[512];
        if (task_read(args[2], &task, why, sizeof why) < 0) {
            say(2, why);
            say(2, "\n");
            return EXIT_USAGE;
        }
        say(1, "readable\n");
        return 0;
    }
    if (!strcmp(mode, "version") && count == 2) {
        char text[128];
        snprintf(text, sizeof text, "cleat-shim %s run %d path %d\n", PROGRAM_VERSION,
                 RUN_PROTOCOL, PATH_PROTOCOL);
        say(1, text);
        return 0;
    }
    say(2, "usage: shim run DIR | shim init COMMAND... | shim detach DIR [CGROUP]... -- COMMAND... | shim follow OUT ERR | shim path [walk] | shim confine USER BYTES DIR [PATH]... -- COMMAND... | shim call DIR COMMAND... | shim pause | shim read FILE | shim version\n");
    return EXIT_USAGE;
}
