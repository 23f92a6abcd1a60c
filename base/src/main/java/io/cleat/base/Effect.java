package io.cleat.base;

/**
 * What is known about the effect of an outside call that did not answer with success.
 *
 * <p>{@link #UNKNOWN} obliges the caller to look, or to repeat the same call with the same arguments; it never frees
 * and never cleans up.
 */
public enum Effect {
    /** The call surely did nothing. */
    NONE,
    /** The call may have done all, part or nothing of its work, and may still be doing it. */
    UNKNOWN,
    /** The call did its work, though its answer says otherwise. */
    APPLIED
}
