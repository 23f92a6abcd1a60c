package io.cleat.driverplugin;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.VisibleText;
import io.cleat.driver.OwnFiles;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.shim.ShimTasks;
import io.cleat.driverschema.DriverGrpc;
import io.cleat.driverschema.DriverProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Has the plugin start tasks. The output of each comes through two FIFOs of its own, which are made before it is
 * started and stay until it is forgotten.
 *
 * <p>Used by any thread. Holds nothing but those files.
 */
final class TaskStarts {
    /** Images are as large as they are. */
    private static final Duration START_LIMIT = Duration.ofMinutes(10);

    private static final String NOWHERE = "/dev/null";

    private final String driver;
    private final Path fifos;
    private final PluginParts parts;
    private final FollowedOutput outputs;
    private final GivenNetworks networks;

    /** @param fifos where each task has a directory of its own */
    TaskStarts(String driver, Path fifos, PluginParts parts, FollowedOutput outputs, GivenNetworks networks) {
        this.driver = driver;
        this.fifos = fifos;
        this.parts = parts;
        this.outputs = outputs;
        this.networks = networks;
    }

    /**
     * Has one started.
     *
     * @return what finds it again, in its plugin's own words
     * @throws DriverTrouble with no effect if the plugin refused it
     */
    DriverProto.TaskHandle start(TaskConfig config, DriverSupervisor.Life life)
            throws DriverTrouble, InterruptedException {
        Path directory = fifos(config.id());
        boolean isKept = !config.logs().disabled();
        if (isKept) {
            makeFifos(config, directory);
        }
        DriverProto.StartTaskRequest request = DriverProto.StartTaskRequest.newBuilder()
                .setTask(TaskMessage.of(
                        config,
                        life.schema().encode(config.config()),
                        isKept ? directory.resolve("out").toString() : NOWHERE,
                        isKept ? directory.resolve("err").toString() : NOWHERE,
                        parts.mhz() * Runtime.getRuntime().availableProcessors()))
                .build();
        DriverProto.StartTaskResponse said;
        try {
            said = life.channel().call(DriverGrpc.getStartTaskMethod(), request, START_LIMIT);
        } catch (PluginAnswered refused) {
            throw new DriverTrouble(refused.reason(), Effect.NONE, Retry.NEVER, refused);
        }
        if (said.getResult() != DriverProto.StartTaskResponse.Result.SUCCESS) {
            throw new DriverTrouble(
                    "the driver "
                            + driver
                            + " did not start the task "
                            + config.id()
                            + ": "
                            + VisibleText.line(said.getDriverErrorMsg()),
                    Effect.NONE,
                    said.getResult() == DriverProto.StartTaskResponse.Result.RETRY ? Retry.SAME_CALL : Retry.NEVER);
        }
        networks.started(config.id(), said);
        return said.getHandle();
    }

    private Path fifos(String id) throws DriverTrouble {
        return fifos.resolve(ShimTasks.directoryName(id));
    }

    private void makeFifos(TaskConfig config, Path directory) throws DriverTrouble, InterruptedException {
        OwnFiles.makeDirectory(directory);
        outputs.begin(config.id(), directory, config.task(), config.logs());
    }

    /**
     * Removes what was made for one of which nothing runs.
     *
     * @throws DriverTrouble if that could not be; it may be tried again
     */
    void forget(String id) throws DriverTrouble {
        Path directory = fifos(id);
        try {
            for (String name : List.of("out", "err", "")) {
                Files.deleteIfExists(directory.resolve(name));
            }
        } catch (IOException failed) {
            throw new DriverTrouble(
                    directory + " could not be removed: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
    }
}
