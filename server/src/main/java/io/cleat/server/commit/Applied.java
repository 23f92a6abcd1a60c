package io.cleat.server.commit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the applied entries come to.
 *
 * @param image the state
 * @param version number of the newest decision in it; 0 before the first
 * @param decidedAt time of that decision
 * @param featureLevel changes up to this level may be written
 * @param reigns the last reigns, the open one at the end; told apart by them is which entries of
 *     earlier reigns were applied, even after a snapshot jumped over them
 */
public record Applied<S>(
        S image, long version, Instant decidedAt, int featureLevel, List<Reign> reigns) {
    private static final int REMEMBERED = 16;

    public Applied {
        reigns = List.copyOf(reigns);
    }

    static <S> Applied<S> nothing(S empty) {
        return new Applied<>(empty, 0, Instant.EPOCH, 1, List.of());
    }

    /** The id of the open reign, or an empty text before the first. */
    public String reign() {
        return reigns.isEmpty() ? "" : reigns.get(reigns.size() - 1).id();
    }

    /** Whether an entry of this reign and number is to be applied now. */
    boolean expects(String reign, long number) {
        return reign().equals(reign) && reigns.get(reigns.size() - 1).next() == number;
    }

    /** How many entries of {@code reign} were applied; empty when it is forgotten or unknown. */
    OptionalLong appliedOf(String reign) {
        for (Reign known : reigns) {
            if (known.id().equals(reign)) {
                return OptionalLong.of(known.next());
            }
        }
        return OptionalLong.empty();
    }

    Applied<S> opened(String reign) {
        List<Reign> next = new ArrayList<>(reigns);
        next.add(new Reign(reign, 0));
        if (next.size() > REMEMBERED) {
            next.remove(0);
        }
        return new Applied<>(image, version, decidedAt, featureLevel, next);
    }

    /** After one entry of the open reign. */
    Applied<S> numbered() {
        List<Reign> next = new ArrayList<>(reigns);
        Reign open = next.remove(next.size() - 1);
        next.add(new Reign(open.id(), open.next() + 1));
        return new Applied<>(image, version, decidedAt, featureLevel, next);
    }

    /** After one decision. */
    Applied<S> decided(S after, Stamp stamp) {
        return new Applied<>(after, stamp.version(), stamp.decidedAt(), featureLevel, reigns);
    }

    Applied<S> raised(int level, Stamp stamp) {
        return new Applied<>(image, stamp.version(), stamp.decidedAt(), level, reigns);
    }
}
