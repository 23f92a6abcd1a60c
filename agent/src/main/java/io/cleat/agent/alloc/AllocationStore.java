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
import java.util.List;
import java.util.stream.Stream;

/** What the node has written down of its allocations: one file each, whole or not there. */
final class AllocationStore {
    static final RecordCodec<KnownAllocation> FORMAT = RecordCodec.stored("allc", 13, KnownAllocation.class);
    private static final String ENDING = ".allocation";

    private final Path directory;

    AllocationStore(Path directory) throws DiskTrouble {
        this.directory = directory;
        DurableFiles.makeDirectory(directory);
    }

    /**
     * The names of all that is written down, in order: {@link #name} of each allocation's id. What is not known stops
     * the agent, since something may run unseen.
     */
    List<String> names() throws DiskTrouble {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(file -> file.endsWith(ENDING))
                    .map(file -> file.substring(0, file.length() - ENDING.length()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new DiskTrouble("reading " + directory + ": " + e, Effect.NONE, Retry.SAME_CALL, e);
        }
    }

    /** Under which name an allocation is written down; for ids that servers give, the id. */
    static String name(String allocId) {
        return TextPath.encoded(allocId);
    }

    /** The file of that name. */
    Path file(String name) {
        return directory.resolve(name + ENDING);
    }

    /**
     * What is written down under that name.
     *
     * @throws DiskTrouble if it cannot be read, or is not what was written
     */
    KnownAllocation read(String name) throws DiskTrouble {
        return FORMAT.decodeFile(file(name), "It is what this node knows of an allocation");
    }

    /** Durable when it returns. */
    void put(KnownAllocation allocation) throws DiskTrouble {
        DurableFiles.write(file(name(allocation.allocId())), FORMAT.encodeForFile(allocation));
    }

    void remove(String allocId) throws DiskTrouble {
        DurableFiles.delete(file(name(allocId)));
    }
}
