package io.cleat.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A range of versions, such as {@code >= 1.6, < 2.0}: all parts must hold. {@code ~> 1.2} allows the last named number
 * to grow. A pre-release is before its release, and outside a range that names none unless the range is strict about
 * semantic versions.
 */
final class VersionRange {
    private static final Pattern PART = Pattern.compile("\\s*+(>=|<=|!=|~>|=|>|<)?\\s*+v?([0-9][^\\s,]*+)\\s*+");
    private static final Pattern VERSION =
            Pattern.compile("v?([0-9]++(?:\\.[0-9]++)*+)(?:-([0-9A-Za-z.-]++))?(?:\\+.*+)?");

    /** Characters of a range, and of a version. */
    private static final int LONGEST = 1_000;

    private final List<Part> parts;
    private final boolean loose;

    private VersionRange(List<Part> parts, boolean loose) {
        this.parts = parts;
        this.loose = loose;
    }

    private record Part(String operator, Version version) {}

    private record Version(List<Long> numbers, String pre) {}

    /** @param loose whether a pre-release counts as outside of a range that names no pre-release */
    static Optional<VersionRange> parse(String text, boolean loose) {
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        List<Part> parts = new ArrayList<>();
        for (String each : text.split(",", -1)) {
            Matcher part = PART.matcher(each);
            Optional<Version> version = part.matches() ? version(part.group(2)) : Optional.empty();
            if (version.isEmpty()) {
                return Optional.empty();
            }
            String operator = part.group(1);
            parts.add(new Part(operator == null ? "=" : operator, version.get()));
        }
        return Optional.of(new VersionRange(parts, loose));
    }

    boolean contains(String text) {
        Optional<Version> version = version(text.strip());
        return version.isPresent() && parts.stream().allMatch(part -> holds(part, version.get()));
    }

    private boolean holds(Part part, Version version) {
        if (loose && !version.pre().isEmpty() && part.version().pre().isEmpty()) {
            return false;
        }
        int order = compare(version, part.version());
        return switch (part.operator()) {
            case ">=" -> order >= 0;
            case "<=" -> order <= 0;
            case "!=" -> order != 0;
            case ">" -> order > 0;
            case "<" -> order < 0;
            case "~>" -> order >= 0 && compare(version, next(part.version())) < 0;
            default -> order == 0;
        };
    }

    /** The first version that {@code ~>} does not allow. */
    private static Version next(Version version) {
        List<Long> numbers = new ArrayList<>(version.numbers());
        if (numbers.size() > 1) {
            numbers.removeLast();
        }
        numbers.set(numbers.size() - 1, numbers.getLast() + 1);
        return new Version(numbers, "");
    }

    private static Optional<Version> version(String text) {
        Matcher found = VERSION.matcher(text);
        if (text.length() > LONGEST || !found.matches()) {
            return Optional.empty();
        }
        List<Long> numbers = new ArrayList<>();
        for (String number : found.group(1).split("\\.", -1)) {
            if (number.length() > 18) {
                return Optional.empty();
            }
            numbers.add(Long.parseLong(number));
        }
        return Optional.of(new Version(numbers, found.group(2) == null ? "" : found.group(2)));
    }

    private static int compare(Version left, Version right) {
        int most = Math.max(left.numbers().size(), right.numbers().size());
        for (int i = 0; i < most; i++) {
            int order = Long.compare(number(left, i), number(right, i));
            if (order != 0) {
                return order;
            }
        }
        if (left.pre().isEmpty() || right.pre().isEmpty()) {
            return Boolean.compare(left.pre().isEmpty(), right.pre().isEmpty());
        }
        return comparePre(left.pre().split("\\.", -1), right.pre().split("\\.", -1));
    }

    /** As semantic versioning orders pre-releases: numbers before words, numbers by value. */
    private static int comparePre(String[] left, String[] right) {
        for (int i = 0; i < Math.min(left.length, right.length); i++) {
            boolean numeric = isNumber(left[i]);
            int order;
            if (numeric && isNumber(right[i])) {
                order = Long.compare(Long.parseLong(left[i]), Long.parseLong(right[i]));
            } else if (numeric != isNumber(right[i])) {
                order = numeric ? -1 : 1;
            } else {
                order = left[i].compareTo(right[i]);
            }
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.length, right.length);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.length() < 19 && text.chars().allMatch(Character::isDigit);
    }

    private static long number(Version version, int i) {
        return i < version.numbers().size() ? version.numbers().get(i) : 0;
    }
}
