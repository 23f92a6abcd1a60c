package io.cleat.sim;

import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskConfig;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A task that runs on a machine, or ran, or whose shim was lost with a reboot. */
final class SimTask {
    final TaskConfig config;
    final String bootId;
    final Signal changed = new Signal();

    @Nullable
    ExitResult exit;

    @Nullable
    SimPlugin plugin;

    boolean isStopping;

    SimTask(TaskConfig config, String bootId) {
        this.config = config;
        this.bootId = bootId;
    }

    boolean isStubborn() {
        return Boolean.TRUE.equals(config.config().get("stubborn"));
    }

    /** Where the task listens, if it is a plugin. */
    Optional<Path> socket() {
        return Optional.ofNullable(config.env().get("CSI_ENDPOINT"))
                .map(endpoint -> Path.of(endpoint.substring("unix://".length())));
    }

    String job() {
        return String.valueOf(config.env().get("NOMAD_JOB_ID"));
    }

    long number(String key) {
        return config.config().get(key) instanceof Number value ? value.longValue() : 0;
    }
}
