package io.cleat.server.commit;

import org.jspecify.annotations.Nullable;

/**
 * In which reign this member may decide: it leads the log in a term, opens a reign by an entry, and rules in it from
 * when that is applied until another reign follows, an entry fails, or it leads no more.
 *
 * <p>Guarded by the lock of its {@link Ledger}.
 */
final class OwnReign {
    /** The term of the log in which this member leads; 0 for none. */
    private long leadingTerm;

    /** The newest term in which it was said not to lead: what is heard late of an older one is nothing. */
    private long followedTerm;

    private @Nullable String opening;
    private @Nullable String ruling;

    /** @return false if it was said already that this member does not lead in that term */
    boolean leading(long term) {
        if (term <= followedTerm) {
            return false;
        }
        leadingTerm = term;
        return true;
    }

    /** @return whether this member does not lead now; then it opens nothing any more, and its reign is to end */
    boolean following(long term) {
        followedTerm = Math.max(followedTerm, term);
        if (leadingTerm > followedTerm) {
            return false;
        }
        leadingTerm = 0;
        opening = null;
        return true;
    }

    /** Whether this member leads and neither has a reign nor opens one. */
    boolean isWanted() {
        return leadingTerm > 0 && opening == null && ruling == null;
    }

    void opening(String reign) {
        opening = reign;
    }

    boolean isOpening(String reign) {
        return reign.equals(opening);
    }

    /** The entry that was to open it failed, or may have. */
    void openingFailed() {
        opening = null;
    }

    /** @return whether the reign that was opened has begun elsewhere, and was followed by another */
    boolean forgetOpened(Applied<?> now) {
        boolean isOver = opening != null
                && !now.reign().equals(opening)
                && now.appliedOf(opening).isPresent();
        if (isOver) {
            opening = null;
        }
        return isOver;
    }

    /**
     * The opening is applied.
     *
     * @param isOpen whether anything may still be decided here
     * @return the reign that begins; null if this member leads no more
     */
    @Nullable
    String begin(boolean isOpen) {
        ruling = leadingTerm > 0 && isOpen ? opening : null;
        opening = null;
        return ruling;
    }

    @Nullable
    String ruling() {
        return ruling;
    }

    boolean isRuling(String reign) {
        return reign.equals(ruling);
    }

    /** Whether another reign has begun after the one in which this member rules. */
    boolean isFollowed(Applied<?> now) {
        return ruling != null && !now.reign().equals(ruling);
    }

    /** It rules no more; it may open another. */
    void end() {
        ruling = null;
    }

    /** It rules no more, and what it has opened does not begin. */
    void close() {
        ruling = null;
        opening = null;
    }
}
