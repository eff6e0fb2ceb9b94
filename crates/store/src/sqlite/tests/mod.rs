//! Tests of this backend alone: damage, query plans and costs.

mod damage;
mod hidden_cost;
mod plan;
mod reserve;
mod search_cost;
