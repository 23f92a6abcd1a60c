package io.cleat.cli;

import io.cleat.api.VolumeWhy;
import io.cleat.base.VisibleText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a volume is as it is, as text. */
final class WhyView {
    private WhyView() {}

    /** All of it: state, claims, what waits and for whom, the last calls. */
    static String text(VolumeWhy why, boolean verbose, Instant now, ZoneId zone) {
        List<String> parts = new ArrayList<>();
        parts.add(new Rows()
                .put("ID", why.ID())
                .put("Namespace", why.Namespace())
                .put("State", why.State())
                .text());
        if (!why.Claims().isEmpty()) {
            parts.add("Claims\n" + claims(why.Claims(), verbose, now));
        }
        String waiting = waiting(why, verbose, now);
        if (!waiting.isEmpty()) {
            parts.add("Waiting\n" + waiting);
        }
        if (!why.Events().isEmpty()) {
            parts.add("Last Calls\n" + events(why.Events(), verbose, now, zone));
        }
        return String.join("\n\n", parts);
    }

    private static String claims(List<VolumeWhy.Claim> claims, boolean verbose, Instant now) {
        Columns columns =
                new Columns("Alloc ID", "Name", "Job ID", "Node", "Access Mode", "Mode", "State", "Step", "Since");
        for (VolumeWhy.Claim one : claims) {
            columns.row(
                    Human.id(one.AllocID(), verbose),
                    one.AllocName(),
                    one.JobID(),
                    one.NodeName().isEmpty() ? Human.id(one.NodeID(), verbose) : one.NodeName(),
                    one.AccessMode(),
                    one.ReadOnly() ? "read" : "write",
                    one.State(),
                    one.Step(),
                    ago(one.Since(), now));
        }
        return columns.text();
    }

    /** One paragraph per thing that waits; empty when nothing does. */
    static String waiting(VolumeWhy why, boolean verbose, Instant now) {
        List<String> lines = new ArrayList<>();
        for (VolumeWhy.Claim claim : why.Claims()) {
            if (claim.BlockedBy() != null) {
                String who = "claim of " + claim.AllocName() + " (" + Human.id(claim.AllocID(), verbose) + ")";
                lines.add(paragraph(who, claim.BlockedBy(), now));
            }
        }
        for (VolumeWhy.Waiting one : why.Waiting()) {
            lines.add(paragraph(one.What(), one, now));
        }
        return String.join("\n", lines);
    }

    /** One sentence: who has waited how long for what, and what happens next. */
    static String paragraph(String who, VolumeWhy.Waiting waiting, Instant now) {
        StringBuilder text =
                new StringBuilder("  * ").append(VisibleText.line(who)).append(" has waited");
        if (waiting.Since() != null) {
            text.append(' ').append(span(waiting.Since(), now));
        }
        if (!waiting.Holder().isEmpty()) {
            text.append(" for ").append(VisibleText.line(waiting.Holder()));
        }
        List<String> next = new ArrayList<>();
        if (!waiting.Hint().isEmpty()) {
            next.add(VisibleText.line(waiting.Hint()));
        }
        if (waiting.NextTry() != null) {
            boolean isDue = !waiting.NextTry().isAfter(now);
            next.add("next try " + (isDue ? "now" : "in " + span(now, waiting.NextTry())));
        }
        return next.isEmpty() ? text + "." : text + ";\n    " + String.join("; ", next) + ".";
    }

    private static String span(Instant from, Instant to) {
        return Human.span(Math.max(0, Duration.between(from, to).toSeconds()));
    }

    static String events(List<VolumeWhy.Event> events, boolean verbose, Instant now, ZoneId zone) {
        Columns columns = new Columns("Time", "Call", "Result", "Duration", "Node ID", "Message");
        for (VolumeWhy.Event one : events) {
            String time = one.Time() == null ? "" : verbose ? Human.time(one.Time(), zone) : Human.ago(one.Time(), now);
            columns.row(
                    time,
                    one.Call(),
                    one.Code(),
                    Human.took(one.Duration()),
                    Human.id(one.NodeID(), verbose),
                    one.Message());
        }
        return columns.text();
    }

    private static String ago(@Nullable Instant then, Instant now) {
        return then == null ? "" : Human.ago(then, now);
    }
}
