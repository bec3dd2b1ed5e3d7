package text

import "strings"

// trackers are query parameters that advertisers, mailers and analytics add to a
// link and that no site uses to choose what it shows. Names that some sites use
// for content (ref, source, id, cid, campaign, sid …) are not here.
var trackers = WordSet(`
	gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid _ga _gl _gac
	fbclid fb_action_ids fb_action_types fb_source fb_ref fbadid
	msclkid yclid ysclid ymclid _openstat twclid ttclid tt_medium tt_content li_fat_id sccid rdt_cid epik
	igshid igsh __twitter_impression qclid s_kwcid ef_id
	mc_cid mc_eid mc_tc _hsenc _hsmi __hstc __hssc __hsfp hsctatracking
	hsa_acc hsa_cam hsa_grp hsa_ad hsa_src hsa_tgt hsa_kw hsa_mt hsa_net hsa_ver hsa_la hsa_ol
	mkt_tok vero_id vero_conv oly_enc_id oly_anon_id wickedid
	_kx _ke dm_i trk_contact trk_msg trk_module trk_sid _bta_tid _bta_c
	ml_subscriber ml_subscriber_hash rb_clickid nr_email_referer bsft_clkid bsft_eid bsft_uid
	elqtrack elqtrackid elqaid elqat elqcampaignid
	mtm_campaign mtm_source mtm_medium mtm_keyword mtm_kwd mtm_cid mtm_content mtm_group mtm_placement
	pk_campaign pk_source pk_medium pk_keyword pk_kwd pk_cid pk_content
	piwik_campaign piwik_kwd piwik_keyword matomo_campaign matomo_kwd matomo_keyword matomo_cid
	irclickid irgwc tduid zanpid awc cjevent
	_branch_match_id _branch_referrer guccounter guce_referrer guce_referrer_sig soc_src soc_trk
	xtor wt.mc_id wt_zmc at_medium at_campaign sb_referer_host
	gs_l s_cid spm __s cmpid echobox
`)

// trackerFamilies are beginnings of names that mark a tracker whatever follows, since
// those who build such tags choose the rest freely: ga_source, wt_mc_id, itm_campaign.
var trackerFamilies = []string{"utm_", "ga_", "hmb_", "otm_", "wt_", "itm_", "vn_"}

// isTracker reports whether a query parameter only tracks a visitor. Letter case
// does not count: senders are careless with it.
func isTracker(name string) bool {
	for _, family := range trackerFamilies {
		if len(name) > len(family) && strings.EqualFold(name[:len(family)], family) {
			return true
		}
	}
	return len(name) <= 24 && trackers[strings.ToLower(name)]
}
