package io.cleat.base;

/** A text that a search may look at only so often. For one search, on one thread. */
final class SearchedText implements CharSequence {
    private final String text;
    private final long most;
    private long looks;

    /** It was looked at too often. Never leaves {@link LinearPattern}. */
    static final class Spent extends RuntimeException {
        private static final long serialVersionUID = 1;

        Spent() {
            super("looked at too often", null, false, false);
        }
    }

    SearchedText(String text, long most) {
        this.text = text;
        this.most = most;
    }

    long looks() {
        return looks;
    }

    @Override
    public char charAt(int index) {
        if (++looks > most) {
            throw new Spent();
        }
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
