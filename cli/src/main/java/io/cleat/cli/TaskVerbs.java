package io.cleat.cli;

import io.cleat.api.Allocation;
import io.cleat.api.CleatClient;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.util.List;
import java.util.Optional;

/** What can be done to tasks while they run. */
final class TaskVerbs {
    private static final Flag ALL = Flag.yes("all-tasks", "All tasks from the first, also those that have ended.");

    private TaskVerbs() {}

    static List<Verb> all() {
        return List.of(
                Verb.named("alloc restart", "Restart the tasks of an allocation where they are")
                        .takes(1, 2, "<allocation> [task]")
                        .about("Ends tasks as when they are stopped, and starts them again on the"
                                + " same node; it counts as no failure. All that run, unless"
                                + " one is named. With -all-tasks the group begins anew: tasks"
                                + " that have ended, such as those before the main ones, run"
                                + " again, in their order.")
                        .flags(AllocationChoice.TASK, ALL, AllocationChoice.JOB, Flag.VERBOSE)
                        .examples(
                                "cleat alloc restart 2849ded8",
                                "cleat alloc restart -job web server",
                                "cleat alloc restart -all-tasks 2849ded8")
                        .does(TaskVerbs::restart),
                Verb.named("alloc signal", "Send a signal to the tasks of an allocation")
                        .takes(1, 2, "<allocation> [task]")
                        .about("Sends a signal to the main process of each task that runs, or of the one that is "
                                + "named.")
                        .flags(
                                Flag.value("s", "signal", "Which one; SIGKILL unless given."),
                                AllocationChoice.TASK,
                                AllocationChoice.JOB,
                                Flag.VERBOSE)
                        .examples(
                                "cleat alloc signal -s SIGHUP 2849ded8",
                                "cleat alloc signal -s SIGUSR1 2849ded8 server")
                        .does(TaskVerbs::signal));
    }

    private static int restart(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        CleatClient client = call.client();
        Optional<String> task = task(call);
        if (task.isPresent() && call.flags().has(ALL)) {
            throw new Failure("name a task or give -all-tasks, not both");
        }
        String id = known(call, client, task);
        if (call.flags().has(ALL)) {
            client.allocations().restartAll(id);
        } else {
            client.allocations().restart(id, task.orElse(""));
        }
        return 0;
    }

    private static int signal(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        CleatClient client = call.client();
        Optional<String> task = task(call);
        client.allocations()
                .signal(
                        known(call, client, task),
                        task.orElse(""),
                        call.flags().value("s").orElse("SIGKILL"));
        return 0;
    }

    private static Optional<String> task(Call call) {
        return call.flags()
                .value("task")
                .or(() -> call.arguments().stream().skip(1).findFirst());
    }

    /** The allocation's id; refused here if it has no such task. */
    private static String known(Call call, CleatClient client, Optional<String> task)
            throws Failure, UnexpectedAnswer, LinkTrouble {
        String id = AllocationChoice.id(call, client);
        if (task.isPresent()) {
            Allocation allocation = client.allocations().get(id, Params.none()).body();
            AllocationChoice.requireTask(call, allocation, task.get());
        }
        return id;
    }
}
