package io.cleat.cli;

import io.cleat.api.AllocCheck;
import io.cleat.base.VisibleText;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.stream.Collectors;

/** How the checks of an allocation's services are. */
final class ChecksView {
    private ChecksView() {}

    static String text(Collection<AllocCheck> checks, ZoneId zone) {
        String title = "Status of " + checks.size() + " Nomad Service Check" + (checks.size() == 1 ? "" : "s");
        return title + "\n\n" + checks.stream().map(each -> one(each, zone)).collect(Collectors.joining("\n\n"));
    }

    private static String one(AllocCheck check, ZoneId zone) {
        Rows rows = new Rows()
                .put("ID", check.ID())
                .put("Name", check.Check())
                .put("Group", check.Group())
                .put("Task", check.Task())
                .put("Service", check.Service())
                .put("Status", check.Status());
        if (check.StatusCode() != 0) {
            rows.put("StatusCode", check.StatusCode());
        }
        return rows.put("Mode", check.Mode())
                .put("Timestamp", Human.time(Instant.ofEpochSecond(check.Timestamp()), zone))
                .put("Output", VisibleText.lines(check.Output()))
                .text();
    }
}
