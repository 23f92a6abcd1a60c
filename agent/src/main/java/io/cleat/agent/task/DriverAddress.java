package io.cleat.agent.task;

import io.cleat.base.DriverTrouble;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.model.AddressMode;
import io.cleat.model.DriverNetwork;
import io.cleat.model.Service;
import java.util.List;
import java.util.Optional;

/** Asks a driver where it has put a task, if services of the task may be found there. For the thread of the task. */
final class DriverAddress {
    private final TaskSetting setting;
    private final TaskDriver driver;
    private final TaskDiary diary;
    private final TaskEvents events;

    DriverAddress(TaskSetting setting, TaskDriver driver, TaskDiary diary, TaskEvents events) {
        this.setting = setting;
        this.driver = driver;
        this.diary = diary;
        this.events = events;
    }

    /** Notes it of a task that runs; one that is nowhere is told so, if a service needs it. */
    void note(TaskHandle task) throws InterruptedException {
        List<Service> own = setting.group().allServices().stream()
                .filter(service -> service.task().equals(setting.task().name()))
                .toList();
        boolean isNeeded = own.stream().anyMatch(DriverAddress::needsIt);
        boolean isWanted = isNeeded || own.stream().anyMatch(one -> one.addressMode() == AddressMode.AUTO);
        if (!isWanted || diary.record().state().network() != null) {
            return;
        }
        String why = "it says of none";
        try {
            Optional<DriverNetwork> found = driver.network(task);
            if (found.isPresent()) {
                diary.note(r -> r.with(r.state().at(found.get())));
                return;
            }
        } catch (DriverTrouble unknown) {
            why = unknown.reason();
        }
        if (isNeeded) {
            diary.eventOnce(events.nowhere(driver.name(), why));
        }
    }

    private static boolean needsIt(Service service) {
        return service.addressMode() == AddressMode.DRIVER
                || service.checks().stream().anyMatch(check -> check.address() == AddressMode.DRIVER);
    }
}
