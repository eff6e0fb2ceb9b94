//! `cargo xtask tidy`: the house rules as code. One rule, one function, one test that it can fail.

mod ambient;
mod commits;
mod decisions;
mod dependencies;
mod files;
mod findings;
mod machine_paths;
mod numbering;
mod packaging;
mod requirements;
mod source;
mod threats;
mod tree;
mod type_names;
mod unfinished;
mod walls;
mod wrapping;

use anyhow::{Result, bail};

use findings::TidyFindings;
use tree::Repository;

pub fn tidy() -> Result<()> {
    eprintln!("\n=== tidy");
    let tree = Repository::of_repository()?;
    let mut found = judge(&tree, &walls::Rooms::from_cargo()?);
    commits::subjects_are_well_formed(&mut found);
    for notice in &found.notices {
        eprintln!("notice: {notice}");
    }
    for fault in &found.faults {
        eprintln!("fault:  {fault}");
    }
    if !found.faults.is_empty() {
        bail!("tidy found {} faults", found.faults.len());
    }
    eprintln!("tidy: {} files, no fault", tree.files.len());
    Ok(())
}

/// Every rule, in the order in which a reader meets what it is about.
fn judge(tree: &Repository, rooms: &walls::Rooms) -> TidyFindings {
    let mut found = TidyFindings::default();
    walls::rooms_are_in_the_table(tree, rooms, &mut found);
    walls::edges_are_allowed(tree, rooms, &mut found);
    dependencies::every_dependency_has_its_reason(tree, &mut found);
    files::every_file_says_what_it_is(tree, &mut found);
    files::no_file_is_too_long(tree, &mut found);
    files::no_file_has_an_empty_name(tree, &mut found);
    unfinished::no_unfinished_code(tree, &mut found);
    unfinished::no_unfinished_merge(tree, &mut found);
    unfinished::no_sleep_in_tests(tree, &mut found);
    unfinished::no_example_that_nobody_runs(tree, &mut found);
    type_names::public_type_names_are_unique(tree, &mut found);
    ambient::environment_is_read_at_the_door(tree, &mut found);
    ambient::clock_is_read_in_one_place(tree, &mut found);
    numbering::migrations_are_gap_free(tree, &mut found);
    numbering::decisions_are_gap_free(tree, &mut found);
    decisions::decisions_have_their_form(tree, &mut found);
    packaging::versions_agree(tree, &mut found);
    packaging::the_container_is_sound(tree, &mut found);
    requirements::every_requirement_has_its_test(tree, &mut found);
    threats::every_threat_has_its_test(tree, &mut found);
    wrapping::documentation_is_wrapped(tree, &mut found);
    machine_paths::no_path_of_one_machine(tree, &mut found);
    found
}
