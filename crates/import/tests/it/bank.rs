//! Statements of banks.

use pdpp_contract::Json;

use crate::bench::{import, text};

const SGML: &[u8] = b"OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nSECURITY:NONE\r\nENCODING:USASCII\r\nCHARSET:1252\r\n\
  COMPRESSION:NONE\r\nOLDFILEUID:NONE\r\nNEWFILEUID:NONE\r\n\r\n<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20260131120000<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>\r\n\
  <BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>12030000<ACCTID>1234567<ACCTTYPE>CHECKING</BANKACCTFROM>\r\n\
  <BANKTRANLIST><DTSTART>20260101<DTEND>20260131\r\n<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260105120000.000[+1:CET]<TRNAMT>-12.50<FITID>A1<NAME>Caf\xe9 M&amp;M<MEMO>Cake</STMTTRN>\r\n\
  <STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260106<TRNAMT>100<FITID>A1<NAME>Choir</STMTTRN>\r\n<STMTTRN><TRNTYPE>FEE<DTPOSTED>20260107<FITID>A3</STMTTRN></BANKTRANLIST>\r\n\
  <LEDGERBAL><BALAMT>87.50<DTASOF>20260131</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>";
const XML: &str = r#"<?xml version="1.0" encoding="UTF-8"?><?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>
<OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>USD</CURDEF><CCACCTFROM><ACCTID>4111</ACCTID></CCACCTFROM><BANKTRANLIST>
<STMTTRN><TRNTYPE>POS</TRNTYPE><DTPOSTED>20260105</DTPOSTED><TRNAMT>-1.00</TRNAMT><FITID>B1</FITID><NAME>Shop</NAME></STMTTRN></BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>"#;

#[test]
fn statements_in_both_forms_of_ofx_give_accounts_and_transactions() {
    let outcome = import("ofx", &[("january.ofx", SGML), ("card.qfx", XML.as_bytes())]);
    assert_eq!(outcome.rejected.len(), 1, "the booking without an amount");
    let account = outcome.find("accounts", "name", "1234567");
    assert_eq!((text(account, "bank"), text(account, "kind")), ("12030000", "CHECKING"));
    assert_eq!(account["balance"], Json::Number("87.50".to_owned()));
    let cake = outcome.find("transactions", "purpose", "Cake");
    assert_eq!((text(cake, "title"), text(cake, "currency")), ("Café M&M", "EUR"));
    assert_eq!(text(cake, "booked_at"), "2026-01-05T11:00:00Z");
    assert_eq!(cake["amount"], Json::Number("-12.50".to_owned()));
    outcome.find("transactions", "payee", "Choir");
    let shop = outcome.find("transactions", "payee", "Shop");
    assert_eq!(text(shop, "currency"), "USD");
    assert_eq!(outcome.find("accounts", "name", "4111")["kind"].as_str(), Some("CREDITCARD"));
    assert_eq!(outcome.stream("transactions").len(), 3, "an id that the bank used twice");
}

const CAMT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>S1</Id>
<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy><Ownr><Nm>Ann Lee</Nm></Ownr><Svcr><FinInstnId><BIC>COBADEFF</BIC></FinInstnId></Svcr></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-01-01</Dt></Dt></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">50.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Dt><Dt>2026-01-31</Dt></Dt></Bal>
<Ntry><Amt Ccy="EUR">12.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-01-05</Dt></BookgDt><ValDt><Dt>2026-01-06</Dt></ValDt><AcctSvcrRef>R1</AcctSvcrRef>
<NtryDtls><TxDtls><Refs><EndToEndId>E1</EndToEndId></Refs><RltdPties><Dbtr><Nm>Ann Lee</Nm></Dbtr><Cdtr><Nm>City &amp; Heat</Nm></Cdtr><CdtrAcct><Id><IBAN>DE02120300000000202051</IBAN></Id></CdtrAcct></RltdPties>
<RmtInf><Ustrd>Invoice 4711</Ustrd><Ustrd>January</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">30.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>PDNG</Cd></Sts><BookgDt><DtTm>2026-01-07T10:00:00+01:00</DtTm></BookgDt>
<NtryDtls><TxDtls><Amt Ccy="EUR">10.00</Amt><RltdPties><Dbtr><Pty><Nm>Bo</Nm></Pty></Dbtr></RltdPties></TxDtls><TxDtls><Amt Ccy="EUR">20.00</Amt><RltdPties><Dbtr><Pty><Nm>Cy</Nm></Pty></Dbtr></RltdPties></TxDtls></NtryDtls></Ntry>
</Stmt></BkToCstmrStmt></Document>"#;

#[test]
fn a_camt_statement_gives_every_transaction_with_its_other_side() {
    let outcome = import("camt", &[("statement.xml", CAMT.as_bytes())]);
    assert_eq!(outcome.rejected, []);
    let account = outcome.find("accounts", "id", "DE89370400440532013000");
    assert_eq!((text(account, "owner"), text(account, "bank")), ("Ann Lee", "COBADEFF"));
    assert_eq!(account["balance"], Json::Number("-50.00".to_owned()));
    let heat = outcome.find("transactions", "payee", "City & Heat");
    assert_eq!(heat["amount"], Json::Number("-12.50".to_owned()));
    assert_eq!(text(heat, "purpose"), "Invoice 4711 January");
    assert_eq!(
        (text(heat, "booked_at"), text(heat, "value_date")),
        ("2026-01-05T00:00:00Z", "2026-01-06")
    );
    assert_eq!((text(heat, "currency"), text(heat, "end_to_end_id")), ("EUR", "E1"));
    let bo = outcome.find("transactions", "payee", "Bo");
    assert_eq!(
        (bo["amount"].to_canonical(), &bo["is_pending"]),
        ("10.00".to_owned(), &Json::Bool(true))
    );
    outcome.find("transactions", "payee", "Cy");
    assert_eq!(outcome.stream("transactions").len(), 3);
}
