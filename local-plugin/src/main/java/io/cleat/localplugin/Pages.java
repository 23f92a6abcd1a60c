package io.cleat.localplugin;

import java.util.List;

/**
 * Pages of the volumes in the order of their creation. A token names the last volume given, so a
 * list goes on rightly though that volume is deleted and others are created in between: no volume
 * comes twice, and new ones come last.
 */
record Pages(List<Volume> volumes, String next) {
    private static final String PREFIX = "after-";

    Pages {
        volumes = List.copyOf(volumes);
    }

    /**
     * @param sorted all volumes, by {@link Pool#ORDER}
     * @param token where to go on; empty for the beginning
     * @param most how many at most; 0 for all
     */
    static Pages of(List<Volume> sorted, String token, int most) throws CallRefused {
        if (most < 0) {
            throw CallRefused.invalid("max_entries is " + most + "; expected 0 or more");
        }
        List<Volume> left = token.isEmpty() ? sorted : after(sorted, token);
        if (most == 0 || left.size() <= most) {
            return new Pages(left, "");
        }
        List<Volume> page = left.subList(0, most);
        Volume last = page.get(most - 1);
        return new Pages(page, PREFIX + last.order() + "-" + last.id());
    }

    private static List<Volume> after(List<Volume> sorted, String token) throws CallRefused {
        int dash = token.indexOf('-', PREFIX.length());
        if (!token.startsWith(PREFIX) || dash < 0) {
            throw unknown(token);
        }
        try {
            long order = Long.parseLong(token.substring(PREFIX.length(), dash));
            Volume last =
                    Volume.created(token.substring(dash + 1), "", VolumeType.DIRECTORY, 0, order);
            return sorted.stream().filter(v -> Pool.ORDER.compare(v, last) > 0).toList();
        } catch (NumberFormatException wrong) {
            throw unknown(token);
        }
    }

    private static CallRefused unknown(String token) {
        return CallRefused.aborted(
                "starting_token '" + token + "' is none of ours; begin the list anew without one");
    }
}
