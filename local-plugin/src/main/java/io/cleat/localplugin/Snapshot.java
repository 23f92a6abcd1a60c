package io.cleat.localplugin;

import java.util.Optional;

/**
 * What the pool remembers of one snapshot: a copy of a volume's content, never changed.
 *
 * @param name the name it was created under, unique among the pool's snapshots; of a member of a group its own id
 * @param order milliseconds since 1970 of its creation, made unique
 * @param volume the volume it is of, which may be gone
 * @param type the type of that volume
 * @param bytes the size of that volume
 * @param group the group it was made with
 */
record Snapshot(String id, String name, VolumeType type, long order, String volume, long bytes, Optional<String> group)
        implements Kept {}
