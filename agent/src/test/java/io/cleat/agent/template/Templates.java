package io.cleat.agent.template;

import io.cleat.model.TaskTemplate;
import io.cleat.model.TaskTemplate.ChangeMode;
import io.cleat.model.TaskTemplate.ChangeScript;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Templates for tests. */
public final class Templates {
    private Templates() {}

    public static TaskTemplate of(String destination, String data) {
        return of(destination, data, ChangeMode.RESTART, Duration.ZERO, null, false);
    }

    public static TaskTemplate of(
            String destination,
            String data,
            ChangeMode mode,
            Duration splay,
            TaskTemplate.@Nullable Wait gather,
            boolean env) {
        return new TaskTemplate(
                "",
                destination,
                data,
                mode,
                mode == ChangeMode.SIGNAL ? "SIGHUP" : "",
                mode == ChangeMode.SCRIPT
                        ? new ChangeScript("reload", List.of("a"), Duration.ofSeconds(5), true)
                        : null,
                splay,
                "0644",
                null,
                null,
                "{{",
                "}}",
                env,
                false,
                true,
                gather);
    }
}
