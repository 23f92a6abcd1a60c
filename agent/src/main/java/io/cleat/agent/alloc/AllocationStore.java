package io.cleat.agent.alloc;

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
import java.util.stream.Stream;

/** What the node has written down of its allocations: one file each, whole or not there. */
final class AllocationStore {
    static final RecordCodec<KnownAllocation> FORMAT =
            RecordCodec.stored("allc", 2, KnownAllocation.class);
    private static final String ENDING = ".allocation";

    private final Path directory;

    AllocationStore(Path directory) throws DiskTrouble {
        this.directory = directory;
        DurableFiles.makeDirectory(directory);
    }

    /**
     * All of them, by id; a file that cannot be read stops the agent, since something may run
     * unseen.
     */
    List<KnownAllocation> load() throws DiskTrouble {
        List<KnownAllocation> known = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(f -> f.toString().endsWith(ENDING)).sorted().toList()) {
                known.add(FORMAT.decode(Files.readAllBytes(file)));
            }
        } catch (IOException e) {
            throw new DiskTrouble(
                    "reading " + directory + ": " + e, Effect.NONE, Retry.SAME_CALL, e);
        }
        return known;
    }

    /** Durable when it returns. */
    void put(KnownAllocation allocation) throws DiskTrouble {
        DurableFiles.write(file(allocation.allocId()), FORMAT.encodeForFile(allocation));
    }

    void remove(String allocId) throws DiskTrouble {
        DurableFiles.delete(file(allocId));
    }

    private Path file(String allocId) {
        return TextPath.entry(directory, allocId + ENDING);
    }
}
