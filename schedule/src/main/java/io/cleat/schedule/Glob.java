package io.cleat.schedule;

/** A name with stars, each for any characters. */
final class Glob {
    private Glob() {}

    /** Takes at most the product of both lengths in steps, however many stars there are. */
    static boolean matches(String glob, String name) {
        int at = 0;
        int star = -1;
        int resume = 0;
        int i = 0;
        while (i < name.length()) {
            if (at < glob.length() && glob.charAt(at) == '*') {
                star = at++;
                resume = i;
            } else if (at < glob.length() && glob.charAt(at) == name.charAt(i)) {
                at++;
                i++;
            } else if (star >= 0) {
                // The last star takes one more; what the ones before it took stays.
                at = star + 1;
                i = ++resume;
            } else {
                return false;
            }
        }
        while (at < glob.length() && glob.charAt(at) == '*') {
            at++;
        }
        return at == glob.length();
    }
}
