package io.cleat.agent.task;

import io.cleat.agent.template.TemplateInput;
import io.cleat.agent.template.TemplateSet;
import io.cleat.agent.template.TemplateWatch;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Trouble;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.model.TaskTemplate.ChangeScript;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What happens around each run of a task because it has templates; nothing for any other task.
 *
 * <p>Used by the task's thread; beside a run by the thread of its watch, which has ended before the next begins.
 */
final class TaskTemplates {
    /** Between two looks for a file that is not there yet. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final TaskSetting setting;
    private final TaskParts parts;
    private final TaskDriver driver;
    private final TaskDiary diary;
    private final TaskEvents events;
    private final TemplateSet templates;
    private @Nullable TemplateInput input;
    private @Nullable Thread watch;
    private volatile boolean scriptFailed;
    private volatile boolean watchFailed;

    /** How a wait may end early. */
    @FunctionalInterface
    interface Wait {
        /** Returns true as soon as nothing is to be waited for any more. */
        boolean isOver(Duration wait) throws InterruptedException;
    }

    TaskTemplates(TaskSetting setting, TaskParts parts, TaskDriver driver, TaskDiary diary, TaskEvents events) {
        this.setting = setting;
        this.parts = parts;
        this.driver = driver;
        this.diary = diary;
        this.events = events;
        this.templates = new TemplateSet(
                setting.task().templates(), setting.places(), parts.files(), parts.time(), parts.renderings());
    }

    /**
     * Renders them, and waits for files and variables that are not there yet.
     *
     * @return what they add to the environment; empty if the wait was over before
     */
    Optional<Map<String, String>> render(TaskEnvironment environment, Wait wait) throws Trouble, InterruptedException {
        if (templates.isEmpty()) {
            return Optional.of(Map.of());
        }
        TemplateInput now = input(environment);
        input = now;
        boolean anew = setting.task().restart().renderTemplates();
        Optional<String> told = Optional.empty();
        while (true) {
            Optional<String> missing = templates.write(now, anew);
            if (missing.isEmpty()) {
                return Optional.of(templates.variables());
            }
            if (!missing.equals(told)) {
                diary.event(events.template("Missing: " + missing.get()));
                told = missing;
            }
            if (wait.isOver(PAUSE)) {
                return Optional.empty();
            }
        }
    }

    private TemplateInput input(TaskEnvironment environment) {
        return new TemplateInput(
                environment.variables(),
                environment::expand,
                parts.variables()
                        .of(
                                setting.allocId(),
                                setting.job(),
                                setting.group().name(),
                                setting.task().name()),
                parts.services().of(setting.allocId()));
    }

    /** The task is dead: nothing of what it was given is kept. */
    void forget() {
        parts.variables().forget(setting.allocId(), setting.task().name());
    }

    /**
     * Watches what they are made of while the task runs. The task is {@linkplain TaskRunner.Keeper#settled settled}
     * once they were read.
     *
     * @param environment of the task, where it was started by an earlier agent
     */
    void afterStart(TaskHandle handle, Supplier<TaskEnvironment> environment, RunningTask running) {
        scriptFailed = false;
        watchFailed = false;
        if (templates.isEmpty() || (templates.isRendered() && !templates.isToBeWatched())) {
            diary.settled();
            return;
        }
        TemplateInput now = input == null ? input(environment.get()) : input;
        input = now;
        TemplateWatch looking =
                new TemplateWatch(templates, now, new Task(handle, running), parts.time(), parts.chance());
        watch = parts.threads()
                .contained(
                        "task/" + handle.id() + "/templates", looking::run, fault -> unwatched(handle, running, fault));
    }

    /** What it shows might be old from now on, and nobody would know: it is started anew. */
    private void unwatched(TaskHandle handle, RunningTask running, Throwable fault) throws InterruptedException {
        diary.settled();
        String why = "Template could not be watched on, by a fault of the agent: " + fault;
        diary.event(events.template(why));
        watchFailed = true;
        running.stop(handle, why);
    }

    /** @return whether the run was ended because a script failed, or its texts could not be watched */
    boolean afterEnd() throws InterruptedException {
        if (watch != null) {
            watch.interrupt();
            watch.join();
            watch = null;
        }
        return scriptFailed || watchFailed;
    }

    /** Tells the running task of a text that has changed. */
    private final class Task implements TemplateWatch.RunningTask {
        private final TaskHandle handle;
        private final RunningTask running;
        private String said = "";

        Task(TaskHandle handle, RunningTask running) {
            this.handle = handle;
            this.running = running;
        }

        @Override
        public void adopted() {
            diary.settled();
        }

        @Override
        public void restart() throws InterruptedException {
            running.restart("Template with change_mode restart re-rendered");
        }

        @Override
        public void signal(String signal) throws InterruptedException {
            try {
                running.signal(signal, "Template re-rendered");
            } catch (DriverTrouble trouble) {
                diary.event(
                        events.template("Template failed to send signal " + signal + " to task: " + trouble.reason()));
            }
        }

        @Override
        public void script(ChangeScript script) throws InterruptedException {
            ScriptRun run = new ScriptRun(driver, handle, script, parts.threads(), parts.time());
            Optional<String> failure = run.failure();
            String words = "script " + script.command() + " with arguments: " + script.args();
            if (failure.isEmpty()) {
                diary.event(events.template("Template successfully ran " + words + ". Exit code: 0"));
                return;
            }
            String why = "Template failed to run " + words + " on change: " + failure.get();
            diary.event(events.template(why));
            if (script.failOnError()) {
                scriptFailed = true;
                running.stop(handle, why);
            }
        }

        @Override
        public void failed(Trouble trouble) {
            if (!trouble.reason().equals(said)) {
                said = trouble.reason();
                diary.event(events.template(said));
            }
        }
    }
}
