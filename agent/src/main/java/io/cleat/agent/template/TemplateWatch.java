package io.cleat.agent.template;

import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.model.TaskTemplate;
import io.cleat.model.TaskTemplate.ChangeMode;
import io.cleat.model.TaskTemplate.ChangeScript;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Looks at the files that the templates of a running task are made of, and tells the task of a text that has changed:
 * of several at once, one time.
 *
 * <p>It looks once a second, by the time of modification, size and inode; a task whose templates read no file has none.
 */
public final class TemplateWatch {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final TemplateSet templates;
    private final TemplateInput input;
    private final RunningTask task;
    private final Time time;
    private final Chance chance;
    private final Set<TaskTemplate> changed = new LinkedHashSet<>();
    private Optional<Deadline> due = Optional.empty();

    /** What is done with a running task. */
    public interface RunningTask {
        /** All that the running task was given is read. */
        void adopted();

        /** Ends it and starts it again. */
        void restart() throws InterruptedException;

        void signal(String signal) throws InterruptedException;

        void script(ChangeScript script) throws InterruptedException;

        /** A text could not be made; the old one stays. */
        void failed(Trouble trouble);
    }

    public TemplateWatch(TemplateSet templates, TemplateInput input, RunningTask task, Time time, Chance chance) {
        this.templates = templates;
        this.input = input;
        this.task = task;
        this.time = time;
        this.chance = chance;
    }

    /** Goes on until it is interrupted, or has the task started again. */
    public void run() throws InterruptedException {
        if (!templates.isRendered()) {
            gather(templates.adopt(input, task::failed));
        }
        task.adopted();
        while (templates.isToBeWatched() || due.isPresent()) {
            if (due.isPresent() && due.get().isExpired()) {
                due = Optional.empty();
                if (tell()) {
                    return;
                }
            }
            time.sleep(pause());
            gather(templates.refresh(input, task::failed));
        }
    }

    private Duration pause() {
        return due.map(Deadline::left).filter(left -> left.compareTo(PAUSE) < 0).orElse(PAUSE);
    }

    /** The task is told after the longest splay of the first that change together, by chance. */
    private void gather(List<TaskTemplate> more) {
        List<TaskTemplate> heard = more.stream()
                .filter(each -> each.changeMode() != ChangeMode.NOOP)
                .toList();
        changed.addAll(heard);
        if (!heard.isEmpty() && due.isEmpty()) {
            long most = heard.stream()
                    .mapToLong(each -> each.splay().toNanos())
                    .max()
                    .orElse(0);
            due = Optional.of(Deadline.in(time, Duration.ofNanos(chance.below(most + 1))));
        }
    }

    /** Whether the task is started again, and thus told all. */
    private boolean tell() throws InterruptedException {
        Set<TaskTemplate> all = new LinkedHashSet<>(changed);
        changed.clear();
        if (all.stream().anyMatch(each -> each.changeMode() == ChangeMode.RESTART)) {
            task.restart();
            return true;
        }
        Set<String> signals = new LinkedHashSet<>();
        Set<ChangeScript> scripts = new LinkedHashSet<>();
        for (TaskTemplate each : all) {
            if (each.changeMode() == ChangeMode.SIGNAL) {
                signals.add(each.changeSignal());
            } else if (each.changeScript() != null) {
                scripts.add(each.changeScript());
            }
        }
        for (String signal : signals) {
            task.signal(signal);
        }
        for (ChangeScript script : scripts) {
            task.script(script);
        }
        return false;
    }
}
