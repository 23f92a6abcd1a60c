package io.cleat.base;

/** A {@link Refusal} on its way to the boundary that renders it, for code that cannot return one. */
public final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Refusal refusal;

    public Refused(Refusal refusal) {
        super(refusal.message());
        this.refusal = refusal;
    }

    public Refusal refusal() {
        return refusal;
    }
}
