package com.example.shop;

import dev.postrider.inbound.InboundMessage;
import dev.postrider.spring.PostriderListener;
import org.springframework.stereotype.Component;

/** Answers customers. */
@Component
class CustomerMessages {

  @PostriderListener(accounts = "shop")
  String answer(InboundMessage message) {
    return "You said: " + message.text(); // stored with "handled", in one write
  }
}
