package io.cleat.agent.network;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.codec.RecordCodec;
import io.cleat.kernel.DurableFiles;
import io.cleat.kernel.TextPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the node has written down of the networks of its allocations: one file each. */
final class NetworkStore {
    static final RecordCodec<NetworkRecord> FORMAT = RecordCodec.stored("netw", 2, NetworkRecord.class);
    private static final String ENDING = ".network";

    private final Path directory;

    NetworkStore(Path directory) throws DiskTrouble {
        this.directory = directory;
        DurableFiles.makeDirectory(directory);
    }

    Optional<NetworkRecord> find(String allocId) throws DiskTrouble {
        Path file = file(allocId);
        return Files.notExists(file) ? Optional.empty() : Optional.of(read(file));
    }

    private static NetworkRecord read(Path file) throws DiskTrouble {
        return FORMAT.decodeFile(
                file,
                "It has how the network of an allocation was made: without it the network's"
                        + " addresses and rules are removed by hand, and the file then");
    }

    /** All of them. */
    List<NetworkRecord> all() throws DiskTrouble {
        List<Path> files;
        try (Stream<Path> listed = Files.list(directory)) {
            files = listed.filter(file -> file.getFileName().toString().endsWith(ENDING))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new DiskTrouble("reading " + directory + ": " + e, Effect.NONE, Retry.SAME_CALL, e);
        }
        List<NetworkRecord> all = new ArrayList<>();
        for (Path file : files) {
            all.add(read(file));
        }
        return all;
    }

    /** Durable when it returns. */
    void put(NetworkRecord network) throws DiskTrouble {
        DurableFiles.write(file(network.allocId()), FORMAT.encodeForFile(network));
    }

    /** Durable when it returns. */
    void remove(String allocId) throws DiskTrouble {
        DurableFiles.delete(file(allocId));
    }

    private Path file(String allocId) {
        return directory.resolve(TextPath.encoded(allocId) + ENDING);
    }
}
