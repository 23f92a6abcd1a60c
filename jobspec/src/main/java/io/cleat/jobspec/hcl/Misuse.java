package io.cleat.jobspec.hcl;

/** A value that an operator, function or type cannot take. Becomes a fault at the expression. */
public final class Misuse extends Exception {
    private static final long serialVersionUID = 1;

    /** What is wrong, as the detail of the fault. */
    private final String detail;

    /** How many steps it took to find out. */
    private final long work;

    public Misuse(String detail) {
        this(detail, 0);
    }

    Misuse(String detail, long work) {
        super(detail, null, false, false);
        this.detail = detail;
        this.work = work;
    }

    long work() {
        return work;
    }

    public String detail() {
        return detail;
    }
}
