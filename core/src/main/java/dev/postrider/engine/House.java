package dev.postrider.engine;

import dev.postrider.event.Events;
import dev.postrider.store.Store;
import dev.postrider.time.Scheduler;
import java.util.random.RandomGenerator;

/** What everything in one engine shares. */
record House(
    Store store,
    Scheduler time,
    RandomGenerator random,
    Events events,
    Tally tally,
    StoreWatch storeWatch) {}
