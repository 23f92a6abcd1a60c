package io.cleat.state;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Refused;
import io.cleat.codec.RecordCodec;
import java.util.List;

/**
 * Changes as bytes. Every version that was ever written has a sample that tests read for ever, and is still written,
 * byte by byte, at the feature level of its number.
 */
public final class ChangeCodec {
    static final RecordCodec<Changes> CODEC = RecordCodec.stored("chng", 20, Changes.class);

    private ChangeCodec() {}

    /** What is stored: a list needs a record around it. */
    record Changes(List<Change> changes) {
        Changes {
            changes = List.copyOf(changes);
        }
    }

    /** @throws Refused if they hold what could not be read back */
    public static byte[] encode(List<Change> changes) throws Refused {
        return CODEC.encode(new Changes(changes));
    }

    /**
     * As the cluster's members read them.
     *
     * @param level the cluster's
     * @throws Refused also if they hold what is newer than {@code level}
     */
    public static byte[] encode(List<Change> changes, int level) throws Refused {
        return CODEC.encode(new Changes(changes), level);
    }

    /**
     * How many bytes changes take, about: as if they were stored alone.
     *
     * @return 0 for what cannot be stored
     */
    public static int size(List<Change> changes) {
        try {
            return encode(changes).length;
        } catch (Refused unwritable) {
            return 0;
        }
    }

    /** @throws DiskTrouble if this program cannot read them: nothing may be applied after them */
    public static List<Change> decode(byte[] bytes) throws DiskTrouble {
        return CODEC.decode(bytes).changes();
    }
}
