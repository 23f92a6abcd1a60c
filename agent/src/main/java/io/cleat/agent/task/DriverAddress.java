package io.cleat.agent.task;

import io.cleat.base.DriverTrouble;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.model.AddressMode;
import io.cleat.model.DriverNetwork;
import io.cleat.model.Service;
import java.util.Optional;

/**
 * Asks a driver where it has put a task, if services of the task may be found there. For the thread
 * of the task.
 */
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
        boolean isAsked = setting.group().allServices().stream().anyMatch(this::mayBeThere);
        if (!isAsked || diary.record().state().network() != null) {
            return;
        }
        try {
            Optional<DriverNetwork> found = driver.network(task);
            if (found.isPresent()) {
                diary.note(r -> r.with(r.state().at(found.get())));
            } else if (isNeeded()) {
                diary.eventOnce(events.nowhere(driver.name(), "it says of none"));
            }
        } catch (DriverTrouble unknown) {
            if (isNeeded()) {
                diary.eventOnce(events.nowhere(driver.name(), unknown.reason()));
            }
        }
    }

    private boolean isOwn(Service service) {
        return service.task().equals(setting.task().name());
    }

    private boolean mayBeThere(Service service) {
        return isOwn(service) && (service.addressMode() == AddressMode.AUTO || needsIt(service));
    }

    private boolean isNeeded() {
        return setting.group().allServices().stream()
                .anyMatch(service -> isOwn(service) && needsIt(service));
    }

    private static boolean needsIt(Service service) {
        return service.addressMode() == AddressMode.DRIVER
                || service.checks().stream()
                        .anyMatch(check -> check.address() == AddressMode.DRIVER);
    }
}
