package io.cleat.agent.alloc;

import io.cleat.agent.check.CheckKey;
import io.cleat.model.NodeFacts;
import io.cleat.model.OnUpdate;
import io.cleat.model.Service;
import io.cleat.model.ServiceCheck;
import io.cleat.model.ServiceWords;
import io.cleat.model.Task;
import io.cleat.model.TaskLifecycle.Hook;
import io.cleat.model.TaskState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The checks of one allocation's services, and where they go, by what is known of it. Pure; used by one thread. */
final class CheckedServices {
    private final KnownAllocation known;
    private final ServiceWords words;

    CheckedServices(KnownAllocation known, NodeFacts node) {
        this.known = known;
        this.words = new ServiceWords(new ServiceWords.Facts(
                known.allocId(),
                known.name(),
                known.index(),
                known.job(),
                known.taskGroup(),
                node,
                known.ports(),
                known.address(),
                ServiceWords.Facts.networks(known.states()),
                false));
    }

    /** A check of a service. */
    record Checked(Service service, ServiceCheck check) {
        CheckKey key() {
            return new CheckKey(service.task(), service.name(), service.portLabel(), check.name());
        }

        /** The task in which its script runs, and that it restarts; empty for the whole group. */
        String task() {
            return check.task().isEmpty() ? service.task() : check.task();
        }
    }

    Map<CheckKey, Checked> all() {
        Map<CheckKey, Checked> all = new LinkedHashMap<>();
        for (Service service : known.taskGroup().allServices()) {
            for (ServiceCheck check : service.checks()) {
                Checked one = new Checked(service, check);
                all.put(one.key(), one);
            }
        }
        return all;
    }

    /** What each must say for the allocation to be healthy. */
    static Map<CheckKey, OnUpdate> wanted(Map<CheckKey, Checked> all) {
        Map<CheckKey, OnUpdate> wanted = new LinkedHashMap<>();
        all.forEach((key, one) -> wanted.put(key, one.check().onUpdate()));
        return wanted;
    }

    /** Where a check goes; empty if its port names nothing. */
    Optional<ServiceWords.Place> place(Checked one) {
        return words.place(one.service(), one.check());
    }

    /** A text with each variable in it replaced. */
    String expand(Checked one, String text) {
        return words.expand(text, one.service().task());
    }

    /** Whether what is checked runs: its task, or all that are to run beside each other. */
    boolean isUp(Checked one) {
        return tasks(one).stream().allMatch(task -> phase(task) == TaskState.Phase.RUNNING);
    }

    /** The tasks that have to run for a check to make sense. */
    List<Task> tasks(Checked one) {
        return known.taskGroup().tasks().stream()
                .filter(task -> one.task().isEmpty()
                        ? task.isMain() && !task.isHook(Hook.POSTSTOP)
                        : task.name().equals(one.task()))
                .toList();
    }

    private TaskState.Phase phase(Task task) {
        return state(task).phase();
    }

    TaskState state(Task task) {
        return known.states().getOrDefault(task.name(), TaskState.PENDING);
    }
}
