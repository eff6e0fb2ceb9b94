//! Tests of this backend alone: damage, query plans and costs.

mod damage;
mod hidden_cost;
mod plan;
mod search_cost;
