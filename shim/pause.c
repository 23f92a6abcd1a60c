/*
 * `shim pause`: the first process of a container that holds a network namespace for others. Does nothing until it is told
 * to end, and reaps what the kernel gives it.
 */
#include "shim.h"

#include <signal.h>
#include <sys/wait.h>

int pause_main(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (;;) {
        int signal = sigwaitinfo(&all, NULL);
        if (signal == SIGTERM || signal == SIGINT || signal == SIGHUP) {
            return 0;
        }
        while (waitpid(-1, NULL, WNOHANG) > 0) {
        }
    }
}
