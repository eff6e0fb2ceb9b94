//! The tools, in the order in which clients list them: each is one file and one row here.

use std::sync::{Arc, LazyLock};

use rmcp::model::{JsonObject, ToolAnnotations};
use serde_json::{Map, Value};

use crate::answer::ToolAnswer;
use crate::arguments::Arguments;
use crate::call_context::CallContext;
use crate::refusal::Refusal;

/// Defines the tools. The module's name is the tool's name; it brings `definition()` and a method of
/// [`CallContext`] under the same name, or it does not compile.
macro_rules! tools {
    ($($(#[$doc:meta])* $variant:ident = $module:ident;)*) => {
        $(mod $module;)*

        /// A tool that agents can call.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Tool {
            $($(#[$doc])* $variant,)*
        }

        impl Tool {
            /// Every tool, in the order in which clients list them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name on the wire.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($module),)* }
            }

            /// The word for a call of it in the audit log.
            pub fn audit_word(self) -> &'static str {
                match self { $(Self::$variant => concat!("mcp_", stringify!($module)),)* }
            }

            fn definition(self) -> Definition {
                match self { $(Self::$variant => $module::definition(),)* }
            }

            async fn answer(
                self,
                context: &CallContext,
                arguments: Arguments,
            ) -> Result<ToolAnswer, Refusal> {
                match self { $(Self::$variant => context.$module(arguments).await,)* }
            }
        }
    };
}

tools! {
    /// What is here, and which questions each stream answers.
    Schema = schema;
    /// A page of one stream.
    QueryRecords = query_records;
    /// Counts, sums and groups of one stream.
    Aggregate = aggregate;
    /// Ranked hits over everything in view.
    Search = search;
    /// One record as a document.
    Fetch = fetch;
    /// A bounded range of one field.
    ReadRecordField = read_record_field;
}

/// What clients are told about a tool.
struct Definition {
    title: &'static str,
    description: &'static str,
    input_schema: JsonObject,
    output_schema: JsonObject,
}

impl Tool {
    /// The tool with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|tool| tool.name() == name)
    }

    /// Calls the tool. A refused call is an answer too.
    pub async fn call(self, context: &CallContext, arguments: Map<String, Value>) -> ToolAnswer {
        let answered = match Arguments::new(self, arguments) {
            Ok(arguments) => self.answer(context, arguments).await,
            Err(refusal) => Err(refusal),
        };
        answered.unwrap_or_else(ToolAnswer::from)
    }

    /// The tool as clients see it.
    pub(crate) fn listed(self) -> Option<&'static rmcp::model::Tool> {
        LISTED.get(self as usize)
    }
}

static LISTED: LazyLock<Vec<rmcp::model::Tool>> = LazyLock::new(|| {
    let listed = |tool: &Tool| {
        let Definition { title, description, input_schema, output_schema } = tool.definition();
        let annotations = ToolAnnotations::new()
            .read_only(true)
            .destructive(false)
            .idempotent(true)
            .open_world(false);
        rmcp::model::Tool::new(tool.name(), description, Arc::new(input_schema))
            .with_title(title)
            .with_raw_output_schema(Arc::new(output_schema))
            .with_annotations(annotations)
    };
    Tool::ALL.iter().map(listed).collect()
});

/// The tools as clients see them. Never changes while the program runs.
pub fn tools() -> &'static [rmcp::model::Tool] {
    &LISTED
}
