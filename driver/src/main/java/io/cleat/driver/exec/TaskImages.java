package io.cleat.driver.exec;

import io.cleat.base.DriverTrouble;
import io.cleat.driver.Starting;
import io.cleat.driver.registry.ImageName;
import io.cleat.driver.registry.RegistryLogin;
import io.cleat.kernel.Place;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The images of a node, unpacked: what an {@code exec} task that names one is started from. */
public interface TaskImages {
    /**
     * An image that a task names.
     *
     * @param shown as in its job
     */
    record Wanted(String shown, Source source) {}

    /** Where an image is. */
    sealed interface Source {
        /** On this machine: an archive or a directory, over no link. */
        record Local(Place place) implements Source {}

        /**
         * At a registry.
         *
         * @param login what its job says for that; empty where the node's operator says it
         * @param force whether it is asked for though the image is here
         * @param within how long that may take
         */
        record Remote(ImageName name, Optional<RegistryLogin> login, boolean force, Duration within)
                implements Source {}
    }

    /**
     * What an image says of its program, each text as it stands there.
     *
     * @param environment {@code NAME=value}
     * @param user empty for none, which is root
     * @param workDir empty for {@code /}
     */
    record Program(
            List<String> entrypoint, List<String> command, List<String> environment, String user, String workDir) {
        public Program {
            entrypoint = List.copyOf(entrypoint);
            command = List.copyOf(command);
            environment = List.copyOf(environment);
        }
    }

    /**
     * An image whose layers are there, and stay until it is closed; then as long as a container has them
     * ({@link ExecDriver#layersInUse}).
     */
    interface Held extends AutoCloseable {
        Program program();

        /** The directories of its layers, the lowest first, none twice. */
        List<Path> layers();

        @Override
        void close();
    }

    /**
     * Sees to it that an image's layers are there.
     *
     * @throws DriverTrouble with no effect if they cannot be had, not in time, or are not wanted any more
     */
    Held hold(Wanted wanted, Starting starting) throws DriverTrouble, InterruptedException;
}
