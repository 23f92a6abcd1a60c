package io.cleat.launch;

import io.cleat.base.VisibleText;
import io.cleat.cli.Columns;
import io.cleat.driver.DriverCapabilities;
import io.cleat.driverplugin.ExternalDriver;
import io.cleat.driverplugin.config.SchemaRow;
import io.cleat.model.DriverFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** What a driver plugin says of itself, for people. */
record DriverReport(String name, ExternalDriver.Description said, DriverCapabilities can, DriverFacts facts) {
    String text() {
        StringBuilder text = new StringBuilder();
        List<List<String>> head = new ArrayList<>();
        head.add(List.of("Driver", name + " " + said.version() + ", process " + said.pid()));
        head.add(List.of("Health", (facts.healthy() ? "healthy: " : "unhealthy: ") + facts.healthDescription()));
        head.add(List.of("Files of a task", can.isolation().name().toLowerCase(Locale.ROOT)));
        head.add(List.of("Mounts", can.mounts() ? "yes" : "no"));
        head.add(List.of("Signals", can.signals() ? "yes" : "no"));
        head.add(List.of("Commands in a task", can.exec() ? "yes" : "no"));
        lay(head, text);
        List<List<String>> attributes = new ArrayList<>();
        new TreeMap<>(facts.attributes()).forEach((key, value) -> attributes.add(List.of(key, value)));
        table("Attributes", attributes, text);
        table("Its own settings", rows(said.settings()), text);
        table("A task's config", rows(said.task()), text);
        return text.toString();
    }

    private static List<List<String>> rows(List<SchemaRow> schema) {
        List<List<String>> rows = new ArrayList<>();
        for (SchemaRow row : schema) {
            String usual = row.usual().isEmpty() ? "optional" : "default " + row.usual();
            rows.add(List.of(row.name(), row.type(), row.required() ? "required" : usual));
        }
        return rows;
    }

    private static void table(String title, List<List<String>> rows, StringBuilder text) {
        text.append('\n').append(title).append('\n');
        lay(rows.isEmpty() ? List.of(List.of("<none>")) : rows, text);
    }

    private static void lay(List<List<String>> rows, StringBuilder text) {
        text.append(Columns.lay(rows, "  ")).append('\n');
    }

    /** One line, whatever a program wrote. */
    static String shown(String given) {
        return VisibleText.line(given);
    }
}
