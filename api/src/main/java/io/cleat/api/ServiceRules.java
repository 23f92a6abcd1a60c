package io.cleat.api;

import io.cleat.base.TextRule;
import io.cleat.model.AddressMode;
import io.cleat.model.OnUpdate;
import io.cleat.model.ServiceNames;
import io.cleat.model.WireNamed;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Rules of the services of one group and its tasks. */
final class ServiceRules {
    /** Services of a group with its tasks: each is read for each of its allocations. */
    private static final int MOST_SERVICES = 50;

    private static final int MOST_TAGS = 50;

    /** Bytes of a tag, an address, a meta value. */
    private static final int LONGEST = 512;

    /** An allocation's address of IPv6 alone. */
    private static final Set<String> LATER_MODES = Set.of("alloc_ipv6");

    /** Drivers that give tasks no address. */
    private static final Set<String> WITHOUT_ADDRESS = Set.of("exec", "raw_exec");

    private final Set<String> labels;
    private final boolean hasOwnAddress;

    /** Of its tasks, by their names. */
    private final Map<String, String> drivers = new HashMap<>();

    /** Name and port of those before: together they are a registration's id. */
    private final Set<String> seen = new HashSet<>();

    private ServiceRules(TaskGroup group) {
        this.labels = NetworkRules.labels(group);
        this.hasOwnAddress = NetworkRules.hasOwnAddress(group);
        JobConversion.listOf(group.Tasks()).forEach(task -> drivers.put(task.Name(), task.Driver()));
    }

    static void check(TaskGroup group, Faults faults) {
        ServiceRules rules = new ServiceRules(group);
        List<Service> services = JobConversion.listOf(group.Services());
        int count = services.size();
        rules.all(services, "", faults);
        for (Task task : JobConversion.listOf(group.Tasks())) {
            List<Service> own = JobConversion.listOf(task.Services());
            count += own.size();
            Faults ofTask = new Faults();
            rules.all(own, task.Name(), ofTask);
            faults.nest("Task " + task.Name() + " services validation failed", ofTask);
        }
        faults.addIf(
                count > MOST_SERVICES,
                "the group and its tasks have "
                        + count
                        + " services; the most is "
                        + MOST_SERVICES
                        + ": make several groups of it");
    }

    private void all(List<Service> services, String task, Faults faults) {
        for (Service service : services) {
            faults.nest("Service " + service.Name() + " validation failed", one(service, task));
        }
    }

    private Faults one(Service service, String task) {
        Faults faults = new Faults();
        if (!service.Provider().equals(ServiceBlocks.PROVIDER)) {
            faults.add("service provider "
                    + TextRule.quoted(service.Provider())
                    + (service.Provider().equals("consul") ? ", which is the default," : "")
                    + " is not supported by this version of Cleat; set provider = \"nomad\"");
            return faults;
        }
        ServiceNames.fault(service.Name()).ifPresent(faults::add);
        faults.addIf(
                !seen.add(service.Name() + "\0" + service.PortLabel()),
                "the name "
                        + TextRule.quoted(service.Name())
                        + " with the port "
                        + TextRule.quoted(service.PortLabel())
                        + " is that of another service of the group too; rename one");
        faults.addIf(
                !task.isEmpty() && !service.TaskName().equals(task),
                "task = "
                        + TextRule.quoted(service.TaskName())
                        + " is another task's name: a service inside a task is that task's; move it there, or take "
                        + "task out");
        faults.addIf(
                !service.TaskName().isEmpty() && !drivers.containsKey(service.TaskName()),
                "task " + TextRule.quoted(service.TaskName()) + " is not one of the group's tasks");
        ServiceBlocks.SERVICE.check(service, faults);
        words(service, faults);
        address(service, faults);
        port(service.PortLabel(), faults);
        new CheckRules(service, task, drivers.keySet(), this).check(faults);
        return faults;
    }

    private static void words(Service service, Faults faults) {
        texts("tags", JobConversion.listOf(service.Tags()), faults);
        texts("canary_tags", JobConversion.listOf(service.CanaryTags()), faults);
        pairs("meta", JobConversion.mapOf(service.Meta()), faults);
        pairs("canary_meta", JobConversion.mapOf(service.CanaryMeta()), faults);
        onUpdate(service.OnUpdate(), faults);
    }

    static void onUpdate(String given, Faults faults) {
        faults.addIf(
                WireNamed.find(OnUpdate.class, given).isEmpty(),
                "on_update must be require_healthy, ignore_warnings or ignore; got " + TextRule.quoted(given));
    }

    private static void texts(String what, Collection<String> given, Faults faults) {
        faults.addIf(given.size() > MOST_TAGS, "it has " + given.size() + " " + what + "; the most is " + MOST_TAGS);
        for (String each : given) {
            line(what, each, LONGEST, faults);
        }
    }

    private static void pairs(String what, Map<String, String> given, Faults faults) {
        texts(what, given.keySet(), faults);
        texts(what, given.values(), faults);
    }

    static void line(String what, String text, int most, Faults faults) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        faults.addIf(
                bytes > most,
                what + " " + TextRule.quoted(text) + " has " + bytes + " bytes; at most " + most + " are allowed");
        TextRule.lineFault(text).ifPresent(fault -> faults.add(what + " " + TextRule.quoted(text) + " " + fault));
    }

    private void address(Service service, Faults faults) {
        mode(service.AddressMode(), service.TaskName(), faults);
        faults.addIf(
                !service.Address().isEmpty() && !service.AddressMode().equals(AddressMode.AUTO.wire()),
                "address is used with address_mode = \"auto\" only; got address_mode = "
                        + TextRule.quoted(service.AddressMode()));
        line("address", service.Address(), LONGEST, faults);
    }

    void mode(String given, String task, Faults faults) {
        String what = "address_mode";
        if (LATER_MODES.contains(given)) {
            faults.add(what
                    + " "
                    + TextRule.quoted(given)
                    + " is not supported by this version of Cleat; use auto, host, alloc or driver");
            return;
        }
        faults.addIf(
                WireNamed.find(AddressMode.class, given).isEmpty(),
                what + " must be auto, host, alloc or driver; got " + TextRule.quoted(given));
        faults.addIf(
                given.equals(AddressMode.ALLOC.wire()) && !hasOwnAddress,
                what
                        + " \"alloc\" is for groups with an address of their own: set network { mode"
                        + " = \"bridge\" } or a CNI network, or use auto");
        if (given.equals(AddressMode.DRIVER.wire())) {
            ofDriver(what, task, faults);
        }
    }

    private void ofDriver(String what, String task, Faults faults) {
        String driver = drivers.getOrDefault(task, "");
        faults.addIf(
                task.isEmpty(),
                what
                        + " \"driver\" is for services of a task, whose driver gives it an address: put"
                        + " the service into the task, or use auto");
        faults.addIf(
                WITHOUT_ADDRESS.contains(driver),
                what
                        + " \"driver\" is for tasks whose driver gives them an address of their own; "
                        + driver
                        + " gives none: use auto, or alloc in a group with network { mode = \"bridge\" }");
    }

    void port(String given, Faults faults) {
        if (given.isEmpty() || labels.contains(given) || given.contains("${")) {
            return;
        }
        if (ServiceNames.port(given).isEmpty()) {
            faults.add("port "
                    + TextRule.quoted(given)
                    + " is neither a port of the group's network blocks ("
                    + (labels.isEmpty() ? "there is none" : String.join(", ", labels))
                    + ") nor a number from 1 to 65535");
        }
    }
}
