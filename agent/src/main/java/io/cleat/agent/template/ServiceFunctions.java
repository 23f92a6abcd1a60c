package io.cleat.agent.template;

import static io.cleat.agent.template.Arguments.function;

import io.cleat.base.Meter;
import io.cleat.base.Refused;
import io.cleat.model.ServiceChoice;
import io.cleat.model.ServiceNames;
import io.cleat.template.Function;
import io.cleat.wire.ToNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What one rendering reads of the services of its namespace. */
final class ServiceFunctions {
    /** What asking for one costs in steps. */
    private static final long ASKING = 100;

    private final TaskServices services;
    private final Meter meter;
    private final Map<String, Long> read = new TreeMap<>();
    private @Nullable String missing;

    ServiceFunctions(TaskServices services, Meter meter) {
        this.services = services;
        this.meter = meter;
    }

    /** The number of each that it asked for, by name. */
    Map<String, Long> read() {
        return read;
    }

    /** What it waits for; empty if for nothing. */
    Optional<String> missing() {
        return Optional.ofNullable(missing);
    }

    void addTo(Map<String, Function> all) {
        all.put("nomadService", function(1, 3, "nomadService [count key] name", this::service));
        all.put("nomadServices", function(0, 0, "nomadServices", g -> names()));
    }

    private List<Map<String, Object>> service(Arguments arguments) throws Refused {
        if (arguments.count() == 2) {
            throw Arguments.wrong(
                    "nomadService takes a name, or a number, a key and a name: nomadService 2 \"key\" \"web\"");
        }
        if (arguments.count() == 1) {
            return shown(find(name(arguments.text(0))));
        }
        long count = arguments.whole(0);
        if (count < 1 || count > Integer.MAX_VALUE) {
            throw Arguments.wrong("nomadService chooses 1 or more, not " + count);
        }
        return shown(ServiceChoice.of(
                find(name(arguments.text(2))), (int) count, arguments.text(1), ToNode.ServicePlace::id));
    }

    private static String name(String name) throws Refused {
        if (!ServiceNames.isName(name)) {
            throw Arguments.wrong(ServiceNames.fault(name).orElse("not the name of a service"));
        }
        return name;
    }

    private List<ToNode.ServicePlace> find(String name) throws Refused {
        meter.step(ASKING);
        Optional<TaskServices.Answer> answer = services.answer(name);
        read.putIfAbsent(name, MadeOf.number(answer));
        String call = name.isEmpty() ? "nomadServices" : "nomadService(" + name + ")";
        if (answer.isEmpty()) {
            throw waits(call + ", which no server has told yet");
        }
        if (!answer.get().fault().isEmpty()) {
            throw waits(call + ": " + answer.get().fault());
        }
        return answer.get().places();
    }

    private Refused waits(String what) {
        missing = what;
        return Arguments.wrong("it waits for " + what);
    }

    private List<Map<String, Object>> shown(List<ToNode.ServicePlace> places) throws Refused {
        List<Map<String, Object>> all = new ArrayList<>();
        for (ToNode.ServicePlace place : places) {
            meter.makeElements(9L + place.tags().size());
            meter.make((long) place.id().length() + place.address().length());
            all.add(Map.of(
                    "ID",
                    place.id(),
                    "Name",
                    place.name(),
                    "Node",
                    place.nodeId(),
                    "Datacenter",
                    place.datacenter(),
                    "JobID",
                    place.jobId(),
                    "AllocID",
                    place.allocId(),
                    "Tags",
                    place.tags(),
                    "Address",
                    place.address(),
                    "Port",
                    (long) place.port()));
        }
        return all;
    }

    private List<Map<String, Object>> names() throws Refused {
        List<Map<String, Object>> all = new ArrayList<>();
        for (ToNode.ServicePlace place : find("")) {
            meter.makeElements(2L + place.tags().size());
            all.add(Map.of("Name", place.name(), "Tags", place.tags()));
        }
        return all;
    }
}
