package io.cleat.agent;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Ids;
import io.cleat.base.Retry;
import io.cleat.base.Secret;
import io.cleat.codec.RecordCodec;
import io.cleat.kernel.DurableFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Who this node is: an id that stays for the life of its data directory, and a secret that proves it. */
public record NodeIdentity(String id, Secret secret) {
    static final RecordCodec<Stored> FORMAT = RecordCodec.stored("node", 1, Stored.class);

    /** As in the file, which only its owner can read. */
    record Stored(String id, String secret) {}

    /**
     * The identity in {@code file}; a new one if there is none yet.
     *
     * @param others what a node writes beside it once it has one
     * @throws DiskTrouble if it is lost: what runs here and what is mounted belongs to another id, and a node of a new
     *     one would end it
     */
    public static NodeIdentity at(Path file, List<Path> others, Ids ids) throws DiskTrouble {
        // One of which the disk does not say whether it is there is not gone.
        if (Files.notExists(file)) {
            for (Path other : others) {
                if (!Files.notExists(other)) {
                    throw new DiskTrouble(
                            "the node's identity "
                                    + file
                                    + " is gone, and "
                                    + other
                                    + " is there: tasks and mounts of the node that it was may be"
                                    + " here. They were not touched. Put the file back from a copy;"
                                    + " or end them, take "
                                    + other
                                    + " away, and start as a new node",
                            Effect.NONE,
                            Retry.NEVER);
                }
            }
            Stored made = new Stored(ids.next(), ids.next());
            DurableFiles.write(file, FORMAT.encodeForFile(made));
        }
        Stored stored = FORMAT.decodeFile(
                file,
                "It is the node's identity: put it back from a copy. Without it this is"
                        + " another node, and tasks and mounts of the one that it was may"
                        + " be here. They were not touched");
        return new NodeIdentity(stored.id(), new Secret(stored.secret()));
    }
}
