package io.cleat.state;

import io.cleat.model.Service;
import io.cleat.model.ServiceNames;
import io.cleat.model.TaskGroup;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where a version of a job is found that has services of a name.
 *
 * @param name empty for names that are others for each allocation
 */
record ServiceName(String namespace, String name) implements Comparable<ServiceName> {
    private static final Comparator<ServiceName> ORDER =
            Comparator.comparing(ServiceName::namespace).thenComparing(ServiceName::name);

    static Set<ServiceName> of(JobVersionRow jobVersion) {
        Set<ServiceName> names = new TreeSet<>();
        for (TaskGroup group : jobVersion.spec().groups()) {
            for (Service service : group.allServices()) {
                names.add(new ServiceName(
                        jobVersion.spec().id().namespace(),
                        ServiceNames.isFixed(service.name()) ? service.name() : ""));
            }
        }
        return names;
    }

    @Override
    public int compareTo(ServiceName other) {
        return ORDER.compare(this, other);
    }
}
