package com.example.shop;

import dev.postrider.Postrider;
import dev.postrider.message.Message;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Tells customers that their order is on its way. */
@RestController
class OrderController {
  private final Postrider postrider;

  OrderController(Postrider postrider) {
    this.postrider = postrider;
  }

  @PostMapping("/orders/{number}/shipped")
  @ResponseStatus(HttpStatus.ACCEPTED) // it is on disk, and will be sent whatever happens
  String shipped(@PathVariable int number, @RequestParam String customer) {
    Message message =
        Message.to("shop", customer)
            .text("Your order " + number + " has shipped")
            .idempotencyKey("order-" + number + "-shipped") // asked twice, sent once
            .build();
    return postrider.send(message).id().toString();
  }
}
