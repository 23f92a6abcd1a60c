package io.cleat.server.commit;

import io.cleat.base.DiskTrouble;
import io.cleat.log.LogApplier;
import java.io.IOException;
import java.io.InputStream;

/**
 * What the applied entries come to, as it is kept outside of the log.
 *
 * @param bytes the same for the same applied entries, as often as they are written
 */
public record Saved<S>(Applied<S> applied, LogApplier.Image bytes) {
    /** Of what {@code machine} applies. */
    public static <S> Saved<S> of(Applied<S> applied, StateMachine<S, ?> machine) {
        return new Saved<>(applied, to -> SnapshotCodec.write(applied, machine, to));
    }

    /**
     * Reads what was written, and nothing after it.
     *
     * @throws DiskTrouble it is damaged, or a newer program wrote it
     */
    public static <S> Saved<S> read(InputStream from, StateMachine<S, ?> machine)
            throws IOException, DiskTrouble {
        return of(SnapshotCodec.read(from, machine), machine);
    }
}
