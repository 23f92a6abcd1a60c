package io.cleat.agent.template;

/** A text that an expression may look at only so often: some expressions never end. */
final class Patience implements CharSequence {
    private static final long LOOKS = 10_000_000;

    private final String text;
    private final long[] left;

    /** It was looked at too often. */
    static final class Lost extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    Patience(String text) {
        this(text, new long[] {LOOKS});
    }

    private Patience(String text, long[] left) {
        this.text = text;
        this.left = left;
    }

    @Override
    public char charAt(int index) {
        if (--left[0] < 0) {
            throw new Lost();
        }
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return new Patience(text.substring(start, end), left);
    }

    @Override
    public String toString() {
        return text;
    }
}
