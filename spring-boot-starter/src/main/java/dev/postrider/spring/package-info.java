/**
 * Postrider in an application of Spring Boot: configured by its properties, ended with it, seen by
 * its health and metrics, and joined to its transactions. May touch: core, reminders, the sandbox,
 * and of the server what reads the configuration and tells metrics and health.
 */
@NullMarked
package dev.postrider.spring;

import org.jspecify.annotations.NullMarked;
