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
 * @param reigns the last reigns, the open one at the end; told apart by them is which entries of earlier reigns were
 *     applied, even after a snapshot jumped over them, and whether somebody has seen another past
 */
public record Applied<S>(S image, long version, Instant decidedAt, int featureLevel, List<Reign> reigns) {
    /** How many reigns are remembered. */
    static final int REMEMBERED = 64;

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

    /**
     * How an image that somebody has seen stands to this one. Two histories of one log that part have different reigns
     * from there on, whose ids are random: so a version and the reign that was open with it name one image, whatever
     * was decided since.
     *
     * @param seen its version
     * @param reign the reign that was open; empty if that is not known
     */
    public Past past(long seen, String reign) {
        if (seen > version) {
            return Past.AHEAD;
        }
        long oldest = Long.MAX_VALUE;
        for (int i = 0; i < reigns.size(); i++) {
            Reign known = reigns.get(i);
            if (known.id().equals(reign)) {
                return seen <= lastOf(i) ? Past.SAME : Past.DIVERGED;
            }
            if (known.first() > 0) {
                oldest = Math.min(oldest, known.first());
            }
        }
        // What the remembered reigns decided, they decided: another one did not. What comes before
        // them is forgotten.
        return !reign.isEmpty() && seen >= oldest ? Past.DIVERGED : Past.SAME;
    }

    /** The last decision that a reign can have made. */
    private long lastOf(int place) {
        if (place + 1 == reigns.size() || reigns.get(place + 1).first() == 0) {
            return version;
        }
        return reigns.get(place + 1).first() - 1;
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
        next.add(new Reign(reign, version + 1, 0));
        if (next.size() > REMEMBERED) {
            next.remove(0);
        }
        return new Applied<>(image, version, decidedAt, featureLevel, next);
    }

    /** After one entry of the open reign. */
    Applied<S> numbered() {
        List<Reign> next = new ArrayList<>(reigns);
        Reign open = next.remove(next.size() - 1);
        next.add(new Reign(open.id(), open.first(), open.next() + 1));
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
