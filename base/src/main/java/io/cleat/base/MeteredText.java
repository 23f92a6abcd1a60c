package io.cleat.base;

/** A text that grows at the cost of a meter, which is asked before it grows. For one thread. */
public final class MeteredText {
    private final StringBuilder out = new StringBuilder();
    private final Meter meter;

    public MeteredText(Meter meter) {
        this.meter = meter;
    }

    /** @throws Refused it would be more than the meter has left */
    public MeteredText add(String more) throws Refused {
        return add(more, 0, more.length());
    }

    /** As {@link #add(String)}, a part of a text. */
    public MeteredText add(String more, int from, int to) throws Refused {
        meter.make(to - from);
        out.append(more, from, to);
        return this;
    }

    /** As {@link #add(String)}, one character several times. */
    public MeteredText repeat(char more, int times) throws Refused {
        meter.make(times);
        out.repeat(more, times);
        return this;
    }

    /** What it is counted by. */
    public Meter meter() {
        return meter;
    }

    public boolean isEmpty() {
        return out.isEmpty();
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
