package dev.postrider.view;

import dev.postrider.channel.Capabilities;
import dev.postrider.message.Plan;

/** What a message would become on its account's channel. */
public record Preview(Plan plan, Capabilities channel) {}
