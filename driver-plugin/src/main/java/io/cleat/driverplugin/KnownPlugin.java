package io.cleat.driverplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.codec.RecordCodec;
import io.cleat.driver.DriverCapabilities;
import io.cleat.kernel.DurableFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a program said of itself when it was last spoken to, so that its tasks are somebody's though it does not answer.
 *
 * @param name of its driver
 * @param joinsNetworks whether its tasks join network namespaces
 * @param makesNetworks whether it makes those itself
 */
record KnownPlugin(String name, DriverCapabilities capabilities, boolean joinsNetworks, boolean makesNetworks) {
    static final RecordCodec<KnownPlugin> FORMAT = RecordCodec.stored("dplg", 2, KnownPlugin.class);

    /** What the file says; empty if nothing was written yet. */
    static Optional<KnownPlugin> read(Path file) throws DiskTrouble {
        return Files.notExists(file)
                ? Optional.empty()
                : Optional.of(FORMAT.decodeFile(
                        file,
                        "It has the name of a driver plugin: delete it, and it is written anew once the "
                                + "plugin answers"));
    }

    /** Durable when it returns; the directory is there. */
    void write(Path file) throws DiskTrouble {
        DurableFiles.write(file, FORMAT.encodeForFile(this));
    }
}
