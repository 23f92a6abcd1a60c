package io.cleat.model;

import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.cleat.base.Ordered;
import io.cleat.base.TextRule;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times as crontab(5) writes them: {@code minute hour day-of-month month day-of-week}, with a year behind that where
 * there are six fields, and a second before it as well where there are seven; or {@code @hourly} and its like. Where
 * both days are restricted, either will do. {@code L}, {@code W} and {@code #} are known.
 *
 * <p>Of an hour that clocks skip there is none, and of one that they repeat there is one.
 */
public final class CronTimes {
    /** How long one may be, in characters. */
    public static final int MOST_CHARACTERS = 256;

    private static final Map<String, String> NAMED = Ordered.ofEntries(
            Map.entry("@hourly", "0 * * * *"),
            Map.entry("@daily", "0 0 * * *"),
            Map.entry("@midnight", "0 0 * * *"),
            Map.entry("@weekly", "0 0 * * 0"),
            Map.entry("@monthly", "0 0 1 * *"),
            Map.entry("@yearly", "0 0 1 1 *"),
            Map.entry("@annually", "0 0 1 1 *"));

    private static final int DAY_OF_MONTH = 3;
    private static final int DAY_OF_WEEK = 5;
    private static final String ANY = "*";

    private static final Pattern RANGE = Pattern.compile("(\\d{1,4})-(\\d{1,4})");

    private static final CronDefinition SEVEN_FIELDS = CronDefinitionBuilder.defineCron()
            .withSeconds()
            .and()
            .withMinutes()
            .and()
            .withHours()
            .and()
            .withDayOfMonth()
            .supportsL()
            .supportsW()
            .supportsLW()
            .and()
            .withMonth()
            .and()
            .withDayOfWeek()
            .withValidRange(0, 7)
            .withMondayDoWValue(1)
            .withIntMapping(7, 0)
            .supportsHash()
            .supportsL()
            .and()
            .withYear()
            .withValidRange(1970, 2099)
            .and()
            .instance();

    private final List<ExecutionTime> either;

    private CronTimes(List<ExecutionTime> either) {
        this.either = either;
    }

    /** @throws IllegalArgumentException with what is wrong, for people */
    public static CronTimes parse(String text) {
        if (text.length() > MOST_CHARACTERS) {
            throw new IllegalArgumentException(
                    "has " + text.length() + " characters; at most " + MOST_CHARACTERS + " are possible");
        }
        String[] fields = fields(text);
        for (int day : new int[] {DAY_OF_MONTH, DAY_OF_WEEK}) {
            if (fields[day].equals("?")) {
                fields[day] = ANY;
            }
        }
        requireRising(fields);
        List<ExecutionTime> either = new ArrayList<>();
        if (isRestricted(fields[DAY_OF_MONTH]) && isRestricted(fields[DAY_OF_WEEK])) {
            either.add(times(with(fields, DAY_OF_MONTH)));
            either.add(times(with(fields, DAY_OF_WEEK)));
        } else {
            either.add(times(fields));
        }
        return new CronTimes(either);
    }

    private static String[] fields(String text) {
        String known = text.strip();
        if (known.startsWith("@")) {
            String named = NAMED.get(known);
            if (named == null) {
                throw new IllegalArgumentException(TextRule.quoted(known)
                        + " is not known; there are "
                        + String.join(", ", NAMED.keySet().stream().sorted().toList()));
            }
            known = named;
        }
        int count = known.isEmpty() ? 0 : known.split("\\s+").length;
        return switch (count) {
            case 5 -> ("0 " + known + " *").split("\\s+");
            case 6 -> ("0 " + known).split("\\s+");
            case 7 -> known.split("\\s+");
            default ->
                throw new IllegalArgumentException("has "
                        + count
                        + " fields; 5 are expected: minute, hour, day of month, month"
                        + " and day of week (or 6 with a year, or 7 with a second"
                        + " first)");
        };
    }

    /** What runs backwards would be read as its first value alone. */
    private static void requireRising(String[] fields) {
        for (String field : fields) {
            Matcher range = RANGE.matcher(field);
            while (range.find()) {
                if (Integer.parseInt(range.group(1)) > Integer.parseInt(range.group(2))) {
                    throw new IllegalArgumentException(TextRule.quoted(range.group())
                            + " ends before it begins; write two ranges, such as \"22-23,0-2\"");
                }
            }
        }
    }

    private static boolean isRestricted(String field) {
        return !field.equals(ANY);
    }

    private static String[] with(String[] fields, int any) {
        String[] changed = fields.clone();
        changed[any] = ANY;
        return changed;
    }

    private static ExecutionTime times(String[] fields) {
        String text = String.join(" ", fields);
        try {
            ExecutionTime times = ExecutionTime.forCron(new CronParser(SEVEN_FIELDS).parse(text));
            // What the library reads and cannot count by shows at the first question.
            times.nextExecution(Instant.EPOCH.atZone(ZoneOffset.UTC));
            return times;
        } catch (IndexOutOfBoundsException | ClassCastException fault) {
            // The parser meets the end of a field, or a letter, where it expects a number.
            throw new IllegalArgumentException("a field lacks a number", fault);
        }
    }

    /** The first time after a moment, in that time zone; empty if there is none any more. */
    public Optional<Instant> after(Instant moment, ZoneId zone) {
        return either.stream()
                .flatMap(times -> times.nextExecution(moment.atZone(zone)).stream())
                .map(ZonedDateTime::toInstant)
                .min(Instant::compareTo);
    }

    /**
     * The first of a job's times after a moment; empty if there is none any more.
     *
     * @param periodic without faults
     */
    public static Optional<Instant> next(JobLaunch.Periodic periodic, Instant moment) {
        ZoneId zone = ZoneId.of(periodic.timeZone());
        return periodic.allCrons().stream()
                .flatMap(cron -> parse(cron).after(moment, zone).stream())
                .min(Instant::compareTo);
    }
}
