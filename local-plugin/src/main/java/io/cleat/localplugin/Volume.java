package io.cleat.localplugin;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * What the pool remembers of one volume.
 *
 * @param name the name it was created under, unique among the pool's volumes
 * @param order grows with each creation; lists are sorted by it
 * @param source what its content was copied from
 */
record Volume(String id, String name, VolumeType type, long order, Optional<Source> source, Shape shape, Uses uses)
        implements Kept {

    static Volume created(Kept.Label label, VolumeType type, Optional<Source> source, Shape shape) {
        return new Volume(label.id(), label.name(), type, label.order(), source, shape, Uses.NONE);
    }

    /** What a volume's content was copied from. */
    record Source(Kind kind, String id) {
        /** As in CSI, VolumeContentSource. */
        enum Kind {
            SNAPSHOT,
            VOLUME
        }
    }

    /**
     * What may change of the volume itself.
     *
     * @param bytes the size promised; 0 for a directory created without one
     * @param growing whether its file system is still to be grown to that size, by a node
     * @param settings its mutable parameters, see {@link Settings}
     * @param frozen where its file system was frozen for a copy, until that is undone
     */
    record Shape(long bytes, boolean growing, SortedMap<String, String> settings, Optional<Frozen> frozen) {
        Shape {
            settings = new TreeMap<>(settings);
        }

        static Shape of(long bytes) {
            return new Shape(bytes, false, new TreeMap<>(), Optional.empty());
        }

        Shape sized(long now, boolean toGrow) {
            return new Shape(now, toGrow, settings, frozen);
        }

        Shape set(SortedMap<String, String> now) {
            return new Shape(bytes, growing, now, frozen);
        }

        Shape frozen(Optional<Frozen> now) {
            return new Shape(bytes, growing, settings, now);
        }
    }

    /** A node, empty for a controller's process, and the mount point. */
    record Frozen(String node, String path) {}

    long bytes() {
        return shape.bytes();
    }

    Volume with(Shape now) {
        return new Volume(id, name, type, order, source, now, uses);
    }

    /** With its uses changed by {@code change}. */
    Volume used(UnaryOperator<Uses> change) {
        return new Volume(id, name, type, order, source, shape, change.apply(uses));
    }
}
